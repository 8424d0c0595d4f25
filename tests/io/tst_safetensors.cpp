// SPDX-License-Identifier: MIT
#include "core/io/safetensors.h"

#include <QTest>

#include <cstring>

using namespace reinspect;

class tst_Safetensors : public QObject
{
    Q_OBJECT

private slots:
    void tensorsAreFoundByName();
    void brokenFilesAreRefused_data();
    void brokenFilesAreRefused();
};

static std::vector<std::byte> fileOf(const std::string& header, std::size_t dataBytes)
{
    std::vector<std::byte> content(8 + header.size() + dataBytes);
    const std::uint64_t length = header.size();
    std::memcpy(content.data(), &length, 8);
    std::memcpy(content.data() + 8, header.data(), header.size());
    return content;
}

void tst_Safetensors::tensorsAreFoundByName()
{
    const auto file = parseSafetensors(
        fileOf(
            R"({"__metadata__": {"a": "b"}, "input.x": {"dtype": "F32", "shape": [2, 3], "data_offsets": [4, 28]}})",
            28),
        "f");
    QVERIFY(file.ok());
    const StoredTensor* tensor = file->find("input.x");
    QVERIFY(tensor);
    QVERIFY(tensor->dtype == DType::Float32);
    QCOMPARE(tensor->sizes, (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(file->data(*tensor).size(), std::size_t{24});
    QVERIFY(!file->find("__metadata__"));
}

void tst_Safetensors::brokenFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const char* header, const char* message) {
        QTest::newRow(name) << QByteArray(header) << QByteArray(message);
    };
    row("no JSON", "{", "the header is not JSON");
    row("a list", "[]", "the header is not JSON");
    row("no offsets", R"({"x": {"dtype": "F32", "shape": [1]}})", "entry for 'x'");
    row("unknown dtype", R"({"x": {"dtype": "Q7", "shape": [1], "data_offsets": [0, 4]}})", "Q7");
    row("beyond the end", R"({"x": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}})",
        "bytes 0 to 36 of 16");
    row("another size", R"({"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 12]}})",
        "does not fit its shape");
    row("overflow",
        R"({"x": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 4]}})",
        "does not fit its shape");
    row("backwards", R"({"x": {"dtype": "F32", "shape": [0], "data_offsets": [8, 4]}})",
        "does not fit its shape");
    row("a negative size", R"({"x": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})",
        "does not fit its shape");
}

void tst_Safetensors::brokenFilesAreRefused()
{
    QFETCH(const QByteArray, header);
    QFETCH(const QByteArray, message);
    const auto file = parseSafetensors(fileOf(header.toStdString(), 16), "f");
    QVERIFY(!file.ok());
    QVERIFY2(file.error().message.find(message.toStdString()) != std::string::npos,
             file.error().message.c_str());
    QCOMPARE(file.error().file, std::string("f"));
    QVERIFY(!parseSafetensors(std::vector<std::byte>(5), "f").ok());
    QVERIFY(!parseSafetensors(std::vector<std::byte>(16, std::byte{0xFF}), "f").ok());
}

QTEST_APPLESS_MAIN(tst_Safetensors)
#include "tst_safetensors.moc"
