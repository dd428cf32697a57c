//! Functions of `<math.h>` as C text of our own, and the macros of `<math.h>` and `<float.h>`.

use crate::logic::rank::FloatOp;

/// Functions with their text. `square_root(x)` and its like are the operations of [`operation`].
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("fabs", "double fabs(double x) { if (x < 0) return -x; return x; }"),
    ("fabsf", "float fabsf(float x) { if (x < 0) return -x; return x; }"),
    ("fmin", "double fmin(double x, double y) { if (x < y || y != y) return x; return y; }"),
    ("fmax", "double fmax(double x, double y) { if (x > y || y != y) return x; return y; }"),
    ("sqrt", "double sqrt(double x) { return square_root(x); }"),
    ("sqrtf", "float sqrtf(float x) { return square_root(x); }"),
    ("floor", "double floor(double x) { return down(x); }"),
    ("floorf", "float floorf(float x) { return down(x); }"),
    ("ceil", "double ceil(double x) { return up(x); }"),
    ("ceilf", "float ceilf(float x) { return up(x); }"),
    ("trunc", "double trunc(double x) { return truncated(x); }"),
    ("round", "double round(double x) { return rounded(x); }"),
    ("roundf", "float roundf(float x) { return rounded(x); }"),
    ("fmod", "double fmod(double x, double y) { return remainder_of(x, y); }"),
    ("truncf", "float truncf(float x) { return truncated(x); }"),
    ("fmodf", "float fmodf(float x, float y) { return remainder_of(x, y); }"),
    ("modf", "double modf(double x, double *whole) { *whole = truncated(x); if (x == 1e999 || x == -1e999) return 0; return x - *whole; }"),
    ("modff", "float modff(float x, float *whole) { *whole = truncated(x); if (x == 1e999 || x == -1e999) return 0; return x - *whole; }"),
    ("acos", "double acos(double x) { return unknown(x); }"),
    ("asin", "double asin(double x) { return unknown(x); }"),
    ("atan", "double atan(double x) { return unknown(x); }"),
    ("cos", "double cos(double x) { return unknown(x); }"),
    ("sin", "double sin(double x) { return unknown(x); }"),
    ("tan", "double tan(double x) { return unknown(x); }"),
    ("cosh", "double cosh(double x) { return unknown(x); }"),
    ("sinh", "double sinh(double x) { return unknown(x); }"),
    ("tanh", "double tanh(double x) { return unknown(x); }"),
    ("exp", "double exp(double x) { return unknown(x); }"),
    ("log", "double log(double x) { return unknown(x); }"),
    ("log2", "double log2(double x) { return unknown(x); }"),
    ("log10", "double log10(double x) { return unknown(x); }"),
    ("cbrt", "double cbrt(double x) { return unknown(x); }"),
    ("atan2", "double atan2(double x, double y) { return unknown(x); }"),
    ("pow", "double pow(double x, double y) { return unknown(x); }"),
    ("hypot", "double hypot(double x, double y) { return unknown(x); }"),
];

/// Predicates with their conditions on `c`; where one holds, C says no more of the value than that it is not 0 (7.12.3).
pub const CLASSES: &[(&str, &str)] =
    &[("isnan", "c != c"), ("isinf", "c == 1e999 || c == -1e999"), ("isfinite", "c < 1e999 && c > -1e999")];

/// The operation on numbers of the type `double` that the texts above call by this name.
pub fn operation(name: &str) -> Option<FloatOp> {
    Some(match name {
        "square_root" => FloatOp::SquareRoot,
        "down" => FloatOp::Floor,
        "up" => FloatOp::Ceiling,
        "truncated" => FloatOp::Truncate,
        "rounded" => FloatOp::Round,
        "remainder_of" => FloatOp::Remainder,
        "unknown" => FloatOp::Unknown,
        _ => return None,
    })
}

/// The macros of `<math.h>`.
pub const MATH: &str = "#define NAN (0.0f / 0.0f)
#define INFINITY 1e999f
#define HUGE_VAL 1e999
#define HUGE_VALF 1e999f
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling 3
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
";

/// The macros of `<float.h>`.
pub const FLOAT: &str = "#define FLT_RADIX 2
#define FLT_EVAL_METHOD 0
#define FLT_ROUNDS 1
#define FLT_HAS_SUBNORM 1
#define DBL_HAS_SUBNORM 1
#define LDBL_HAS_SUBNORM 1
#define FLT_DECIMAL_DIG 9
#define DBL_DECIMAL_DIG 17
#define LDBL_DECIMAL_DIG 21
#define DECIMAL_DIG 21
#define FLT_MIN_10_EXP (-37)
#define DBL_MIN_10_EXP (-307)
#define LDBL_MIN_10_EXP (-4931)
#define FLT_MAX_10_EXP 38
#define DBL_MAX_10_EXP 308
#define LDBL_MAX_10_EXP 4932
#define LDBL_MANT_DIG 64
#define LDBL_DIG 18
#define LDBL_MIN_EXP (-16381)
#define LDBL_MAX_EXP 16384
#define FLT_TRUE_MIN 1.40129846e-45f
#define DBL_TRUE_MIN 4.9406564584124654e-324
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_EPSILON 1.1920929e-7f
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
";
