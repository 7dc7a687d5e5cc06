/*
 * bvp_driver.c - the functions that AUTO-07p calls, as text (bvp.h).
 *
 * Before it come the sizes N, NS, WIDTH, PARAMETERS, ARCS, CONTINUED, the type `struct
 * equations` and the tables mode, event, after, duration, value (bvp_write.c). The order
 * of the blocks in z is that of `enum place` there.
 */
#include "bvp/bvp.h"

#include <stddef.h>

/* The words of C as a text. */
#define TEXT(...) #__VA_ARGS__ "\n\n"

static const char point[] = TEXT(
    enum { X, A = WIDTH, PLUS = A + N, RHO = PLUS + WIDTH, DX = RHO + PARAMETERS,
           DPLUS = DX + WIDTH, DRHO = DPLUS + WIDTH, ALL = DRHO + PARAMETERS };
    enum { VALUES = 2, ACCELERATIONS = 3, DIRECTIONS = 5 };
    static double z[ALL];

    static void set(int place, const double *x, int count)
    {
        for (int i = 0; i < count; i++)
            z[place + i] = x[i];
    }

    static void load(const struct equations *e)
    {
        for (int k = 0; k < e->inputs; k++)
            e->w[e->input[k][1]] = z[e->input[k][0]];
    }

    static double output(const struct equations *e, int k)
    {
        return e->w[e->output[k]];
    }
);

static const char solving[] = TEXT(
    /* b becomes the solution of M b = b, by elimination with row pivots. */
    static void solve(const struct equations *e, double *b)
    {
        double M[N + 1][N + 1];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                M[i][j] = output(e, i*N + j);
        for (int k = 0; k < N; k++) {
            int p = k;
            for (int i = k + 1; i < N; i++)
                if (M[i][k]*M[i][k] > M[p][k]*M[p][k])
                    p = i;
            for (int j = 0; j < N; j++) {
                double other = M[p][j];
                M[p][j] = M[k][j];
                M[k][j] = other;
            }
            double other = b[p];
            b[p] = b[k];
            b[k] = other;
            for (int i = k + 1; i < N; i++) {
                double factor = M[i][k]/M[k][k];
                for (int j = k; j < N; j++)
                    M[i][j] -= factor*M[k][j];
                b[i] -= factor*b[k];
            }
        }
        for (int k = N - 1; k >= 0; k--) {
            for (int j = k + 1; j < N; j++)
                b[k] -= M[k][j]*b[j];
            b[k] /= M[k][k];
        }
    }
);

static const char rates[] = TEXT(
    static void rates(const struct equations *e, const double *x, double *dx)
    {
        set(X, x, WIDTH);
        load(e);
        e->stage[VALUES](e->w);
        for (int i = 0; i < N; i++) {
            dx[i] = x[N + i];
            dx[N + i] = output(e, N*N + i);
        }
        solve(e, dx + N);
        for (int i = 0; i < NS; i++)
            dx[2*N + i] = output(e, N*N + N + i);
    }

    /* At the point of the last rates, dx. */
    static void rates_along(const struct equations *e, const double *dx, const double *y,
                            double *dy)
    {
        set(A, dx + N, N);
        set(DX, y, WIDTH);
        load(e);
        e->stage[ACCELERATIONS](e->w);
        e->stage[DIRECTIONS](e->w);
        for (int i = 0; i < N; i++) {
            dy[i] = y[N + i];
            dy[N + i] = -output(e, N*N + N + NS + i);
        }
        solve(e, dy + N);
        for (int i = 0; i < NS; i++)
            dy[2*N + i] = output(e, N*N + 2*N + NS + i);
    }

    static void set_parameters(const double *par)
    {
        set(RHO, value, PARAMETERS);
        z[RHO + CONTINUED] = par[0];
    }

    /* The column after those of the state is by the parameter. */
    static void set_column(int c)
    {
        z[DRHO + CONTINUED] = c == WIDTH + 1;
    }
);

static const char segments[] = TEXT(
    /* Derivatives of the rates of arc k by its own state, its duration and the
       parameter: of the problem without columns. */
    static void segment_jacobian(int k, const double *par, const double *dx, double *dfdu,
                                 double *dfdp)
    {
        enum { SIZE = ARCS*WIDTH };
        double y[WIDTH];
        double dy[WIDTH];
        for (int j = 0; j <= WIDTH; j++) {
            int by_parameter = j == WIDTH;
            double *to = k*WIDTH + (by_parameter ? dfdp : dfdu + (k*WIDTH + j)*SIZE);
            for (int i = 0; i < WIDTH; i++)
                y[i] = i == j;
            set_column(by_parameter ? WIDTH + 1 : 0);
            rates_along(mode[k], dx, y, dy);
            for (int i = 0; i < WIDTH; i++)
                to[i] = par[1 + k]*dy[i];
        }
        for (int i = 0; i < WIDTH; i++)
            dfdp[(1 + k)*SIZE + k*WIDTH + i] = dx[i];
    }

    void func_(const int *ndim, const double *u, const int *icp, const double *par,
               const int *ijac, double *f, double *dfdu, double *dfdp)
    {
        int size = ARCS*WIDTH;
        double unused[ARCS*WIDTH*(1 + ARCS)];
        set_parameters(par);
        for (int k = 0; k < ARCS; k++) {
            double dx[WIDTH];
            double dy[WIDTH];
            rates(mode[k], u + k*WIDTH, dx);
            for (int i = 0; i < WIDTH; i++)
                f[k*WIDTH + i] = par[1 + k]*dx[i];
            if (*ijac > 0 && *ndim == size)
                segment_jacobian(k, par, dx, dfdu, *ijac > 1 ? dfdp : unused);
            for (int c = 1; c < *ndim/size; c++) {
                int at = c*size + k*WIDTH;
                set_column(c);
                rates_along(mode[k], dx, u + at, dy);
                for (int i = 0; i < WIDTH; i++)
                    f[at + i] = par[1 + k]*dy[i] + par[1 + c*ARCS + k]*dx[i];
            }
        }
    }
);

static const char conditions[] = TEXT(
    /* The outputs of an event from place `first` on, from which r goes on. */
    static double *put(const struct equations *e, int first, int count, double *r)
    {
        for (int i = 0; i < count; i++)
            *r++ = output(e, first + i);
        return r;
    }

    /* Derivatives of the conditions of arc k, whose event has been run, by the state
       after it, before it, and the parameter. */
    static void condition_jacobian(int k, double *dbc)
    {
        enum { SIZE = ARCS*WIDTH, NBC = ARCS*(1 + WIDTH) };
        int next = (k + 1) % ARCS*WIDTH;
        for (int j = 0; j <= 2*WIDTH; j++) {
            int column = j < WIDTH ? next + j : SIZE + k*WIDTH + j - WIDTH;
            for (int i = 0; i < WIDTH; i++) {
                z[DPLUS + i] = i == j;
                z[DX + i] = i == j - WIDTH;
            }
            set_column(j == 2*WIDTH ? WIDTH + 1 : 0);
            load(event[k]);
            event[k]->stage[DIRECTIONS](event[k]->w);
            put(event[k], 1 + WIDTH, 1 + WIDTH,
                dbc + (j == 2*WIDTH ? 2*SIZE : column)*NBC + k*(1 + WIDTH));
        }
    }

    /* The conditions of column c at arc k, whose event has been run. */
    static double *put_column(int c, int k, const double *u0, const double *u1, double *r)
    {
        int first = c*ARCS*WIDTH;
        int next = (k + 1) % ARCS*WIDTH;
        set_column(c);
        set(DX, u1 + first + k*WIDTH, WIDTH);
        set(DPLUS, u0 + first + next, WIDTH);
        load(event[k]);
        event[k]->stage[DIRECTIONS](event[k]->w);
        r = put(event[k], 1 + WIDTH, 1, r);
        if (next == 0 && c <= WIDTH) {
            for (int i = 0; i < WIDTH; i++)
                z[DX + i] = i == c - 1;
            load(event[k]);
            event[k]->stage[DIRECTIONS](event[k]->w);
        }
        return put(event[k], 2 + WIDTH, WIDTH, r);
    }

    void bcnd_(const int *ndim, const double *par, const int *icp, const int *nbc,
               const double *u0, const double *u1, double *r, const int *ijac,
               double *dbc)
    {
        int size = ARCS*WIDTH;
        set_parameters(par);
        for (int k = 0; k < ARCS; k++) {
            set(X, u1 + k*WIDTH, WIDTH);
            set(PLUS, u0 + (k + 1) % ARCS*WIDTH, WIDTH);
            load(event[k]);
            event[k]->stage[VALUES](event[k]->w);
            r = put(event[k], 0, 1 + WIDTH, r);
            if (*ijac > 0 && *ndim == size)
                condition_jacobian(k, dbc);
            for (int c = 1; c < *ndim/size; c++)
                r = put_column(c, k, u0, u1, r);
        }
    }
);

static const char start[] = TEXT(
    /* The first guess at time t: each arc by some steps of the classical method. */
    void stpnt_(const int *ndim, double *u, double *par, const double *t)
    {
        enum { STEPS = 20 };
        for (int i = 0; i < *ndim; i++)
            u[i] = 0;
        par[0] = value[CONTINUED];
        set_parameters(par);
        for (int k = 0; k < ARCS; k++) {
            double *x = u + k*WIDTH;
            double h = *t*duration[k]/STEPS;
            par[1 + k] = duration[k];
            for (int i = 0; i < WIDTH; i++)
                x[i] = after[k][i];
            for (int step = 0; step < STEPS; step++) {
                double y[WIDTH];
                double d[4][WIDTH];
                for (int s = 0; s < 4; s++) {
                    double part = s == 0 ? 0 : s == 3 ? h : h/2;
                    for (int i = 0; i < WIDTH; i++)
                        y[i] = x[i] + (s == 0 ? 0 : part*d[s - 1][i]);
                    rates(mode[k], y, d[s]);
                }
                for (int i = 0; i < WIDTH; i++)
                    x[i] += h/6*(d[0][i] + 2*d[1][i] + 2*d[2][i] + d[3][i]);
            }
        }
    }

    void icnd_(void) { }
    void fopt_(void) { }
    void pvls_(void) { }
);

const char *const bvp_driver[] = {point, solving, rates, segments, conditions, start,
                                  NULL};
