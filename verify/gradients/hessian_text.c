/* hessian_text.c - certified digits as text (hessian_text.h) */
#include "gradients/hessian_text.h"

#include <math.h>

void hessian_text(const struct hessian_request *request, const struct mp_hessian *hessian,
                  int j, int k, char text[HESSIAN_TEXT_ROOM])
{
    int p = hessian->parameters, i = j * p + k;
    mpfr_t part;
    mpfr_init2(part, hessian->precision);
    mpfr_div(part, hessian->by_two + i, hessian->scale + i, MPFR_RNDN);
    double lost = fmax(0, -log10(fabs(mpfr_get_d(part, MPFR_RNDN))));
    mpfr_clear(part);
    int digits = (int)floor(fmin(request->digits,
                                 fmax(0, hessian->agreed_on[i] - lost)));
    if (digits < 1)
        mpfr_snprintf(text, HESSIAN_TEXT_ROOM, "0");
    else
        mpfr_snprintf(text, HESSIAN_TEXT_ROOM, "%#.*Rg", digits, hessian->by_two + i);
}
