/*
 * quad.h - complex numbers of quadruple precision (113 bits), for gcc and clang.
 *
 * clang does not know `_Complex __float128`, nor glibc's names of it, but both compilers
 * know the machine mode TC. Functions are those of libm, declared here. libquadmath has
 * them, too, but whatever is linked with it prints a third slower: it registers a
 * modifier of its own with printf, which then reads every format the long way.
 *
 * Derivatives by complex step: parts of size QUAD_STEP are carried as imaginary parts;
 * their squares are far below the resolution. Hence integer powers go by multiplication
 * (a complex pow loses the derivative of (-2 + i eps)^2), and atan2 is taken apart.
 */
#ifndef SALTUS_QUAD_H
#define SALTUS_QUAD_H

#include <stdbool.h>

__extension__ typedef __float128 quad;
typedef _Complex float quad_complex __attribute__((mode(TC)));

#define QUAD_PI (__extension__ 3.14159265358979323846264338327950288Q)
#define QUAD_RESOLUTION (__extension__ 1.92592994438723585305597794258492732e-34Q)
#define QUAD_STEP (__extension__ 1e-40Q)

quad fabsf128(quad x);
quad sqrtf128(quad x);
quad sinf128(quad x);
quad cosf128(quad x);
quad expf128(quad x);
quad asinf128(quad x);
quad acosf128(quad x);
quad atan2f128(quad y, quad x);
quad_complex csinf128(quad_complex x);
quad_complex ccosf128(quad_complex x);
quad_complex ctanf128(quad_complex x);
quad_complex casinf128(quad_complex x);
quad_complex cacosf128(quad_complex x);
quad_complex catanf128(quad_complex x);
quad_complex csinhf128(quad_complex x);
quad_complex ccoshf128(quad_complex x);
quad_complex ctanhf128(quad_complex x);
quad_complex csqrtf128(quad_complex x);
quad_complex cexpf128(quad_complex x);
quad_complex clogf128(quad_complex x);

static inline quad quad_real(quad_complex x)
{
    return __extension__ __real__ x;
}

static inline quad quad_imag(quad_complex x)
{
    return __extension__ __imag__ x;
}

/* |x| and the derivative that x carries, added up. */
static inline quad quad_size(quad_complex x)
{
    return fabsf128(quad_real(x)) + fabsf128(quad_imag(x)) / QUAD_STEP;
}

static inline quad_complex quad_number(quad re, quad im)
{
    quad_complex x = 0;
    __extension__ __real__ x = re;
    __extension__ __imag__ x = im;
    return x;
}

/* Integer power, by multiplication. */
static inline quad_complex quad_power(quad_complex a, int exponent)
{
    quad_complex power = 1;
    for (int k = exponent < 0 ? -exponent : exponent; k > 0; k /= 2) {
        if (k % 2)
            power *= a;
        a *= a;
    }
    return exponent < 0 ? 1 / power : power;
}

/* a^b: an integer exponent (a constant) by multiplication, else exp(b log a), a > 0. */
static inline quad_complex quad_pow(quad_complex a, quad_complex b)
{
    quad re = quad_real(b);
    if (quad_imag(b) == 0 && fabsf128(re) < 1000 && re == (quad)(int)re)
        return quad_power(a, (int)re);
    return cexpf128(b * clogf128(a));
}

/* The angle of (x, y): its real part from the real parts, its derivative from an arc
   tangent of the ratio that is at most one. */
static inline quad_complex quad_atan2(quad_complex y, quad_complex x)
{
    quad re_x = quad_real(x), re_y = quad_real(y);
    bool flat = fabsf128(re_x) >= fabsf128(re_y);
    quad_complex turn = flat ? catanf128(y / x) : -catanf128(x / y);
    return quad_number(atan2f128(re_y, re_x), quad_imag(turn));
}

/* A x = b in place of b, A [n*n, by rows] destroyed; pivots by real parts. false:
   singular (no pivot above 1e-24, which in 34 digits is a zero of anything of ordinary
   size). */
bool quad_solve(int n, quad_complex *A, quad_complex *b);

#endif
