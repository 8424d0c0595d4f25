// SPDX-License-Identifier: MIT
// Special functions in double, from their series, continued fractions and recurrences. Arguments outside of
// the domain give NaN.
#pragma once

namespace reinspect::exec
{

double digamma(double x);
double hurwitzZeta(double x, double q); // sum of (q + k)^-x
double polygamma(int n, double x);
double inverseNormal(double p); // of the normal distribution function
double inverseErf(double y);
double scaledErfc(double x);               // exp(x^2) erfc(x)
double logNormal(double x);                // logarithm of the normal distribution function
double scaledBesselI(int order, double x); // exp(-|x|) I(x), orders 0 and 1
double besselI(int order, double x);
double lowerGamma(double a, double x); // regularized: lower + upper = 1
double upperGamma(double a, double x);

} // namespace reinspect::exec
