/*
 * andrews.c - Andrews' squeezing mechanism, seven bodies in the plane driven by a motor:
 * IVP test set (Mazzia, Magherini 2008), index 3.
 *
 *     K1  crank O-F, angle beta            K4, K5  bars P-E at Phi + delta, E-A at delta
 *     K2  coupler F-P, angle beta + Theta  K6, K7  bars P-H at Omega + eps, H-A at eps
 *     K3  triangle B-P-D, angle gamma      spring  C-D
 *
 * The point P is reached from O over K1 and K2, from B over K3, from A over K5 and K4 and
 * from A over K7 and K6: three loops, six constraints on seven angles, one degree of
 * freedom. A motor turns K1 with the constant torque mom; there is no gravity. So the
 * energy less mom beta is constant; it is written body by body, from the velocities of
 * the centres of mass. M, F, Phi are taken from the test set.
 *
 * Start at rest with Theta = 0, the other angles from the loops. The multipliers have the
 * sign of the test set.
 *
 * The test set prints the start to 30 digits, which hold, and the end to 16. Only 9 to 12
 * of these hold: its solution was made by a solver with a tolerance of 1e-14. The case
 * states the end by DISPUTED.
 */
#include "case.h"

#define TEST_SET "IVP test set 2008, Andrews' squeezing mechanism"
#define TOLERANCE "made with a tolerance of 1e-14; the certified values, by two routes " \
    "to 40 digits, differ from it in the 10th to 13th digit"

static void record(struct model *model)
{
    COORDINATES(beta, Theta, gamma, Phi, delta, Omega, eps);
    PARAMETERS(mom, c0, l0, m5, rr, xb,
               m1, m2, m3, m4, m6, m7, I1, I2, I3, I4, I5, I6, I7,
               xa, ya, yb, xc, yc, d, da, e, ea, ra, ss, sa, sb, sc, sd, ta, tb,
               u, ua, ub, zf, zt, fa);
    MULTIPLIERS(lambda1, lambda2);
    COSTS(stretch, pull);

    NOMINAL(mom, 0.033, "N m", "torque of the motor");
    NOMINAL(c0, 4530, "N/m", "stiffness of the spring");
    NOMINAL(l0, 0.07785, "m", "natural length of the spring");
    NOMINAL(m5, 0.0705, "kg", "mass of K5");
    NOMINAL(rr, 0.007, "m", "length O-F");
    NOMINAL(xb, -0.03635, "m", "bearing B");
    FIXED(m1, 0.04325, "kg", "mass of K1");
    FIXED(m2, 0.00365, "kg", "mass of K2");
    FIXED(m3, 0.02373, "kg", "mass of K3");
    FIXED(m4, 0.00706, "kg", "mass of K4");
    FIXED(m6, 0.00706, "kg", "mass of K6");
    FIXED(m7, 0.05498, "kg", "mass of K7");
    FIXED(I1, 2.194e-6, "kg m^2", "inertia of K1");
    FIXED(I2, 4.410e-7, "kg m^2", "inertia of K2");
    FIXED(I3, 5.255e-6, "kg m^2", "inertia of K3");
    FIXED(I4, 5.667e-7, "kg m^2", "inertia of K4");
    FIXED(I5, 1.169e-5, "kg m^2", "inertia of K5");
    FIXED(I6, 5.667e-7, "kg m^2", "inertia of K6");
    FIXED(I7, 1.912e-5, "kg m^2", "inertia of K7");
    FIXED(xa, -0.06934, "m", "bearing A");
    FIXED(ya, -0.00227, "m", "bearing A");
    FIXED(yb, 0.03273, "m", "bearing B");
    FIXED(xc, 0.014, "m", "bearing C");
    FIXED(yc, 0.072, "m", "bearing C");
    FIXED(d, 0.028, "m", "length F-P");
    FIXED(da, 0.0115, "m", "centre of K2 from F");
    FIXED(e, 0.02, "m", "length E-P");
    FIXED(ea, 0.01421, "m", "centre of K4 from P");
    FIXED(ra, 0.00092, "m", "centre of K1 from O");
    FIXED(ss, 0.035, "m", "length B-P");
    FIXED(sa, 0.01874, "m", "centre of K3 from B, one way");
    FIXED(sb, 0.01043, "m", "centre of K3 from B, the other");
    FIXED(sc, 0.018, "m", "D from B, one way");
    FIXED(sd, 0.02, "m", "D from B, the other");
    FIXED(ta, 0.02308, "m", "centre of K5 from A, one way");
    FIXED(tb, 0.00916, "m", "centre of K5 from A, the other");
    FIXED(u, 0.04, "m", "length A-H");
    FIXED(ua, 0.01228, "m", "centre of K7 from A, one way");
    FIXED(ub, 0.00449, "m", "centre of K7 from A, the other");
    FIXED(zf, 0.02, "m", "length H-P");
    FIXED(zt, 0.04, "m", "length A-E");
    FIXED(fa, 0.01421, "m", "centre of K6 from P");

    struct mode *motion = model_mode(model, "motion");
    (void)motion;
    LET(xd, sd*cos(gamma) + sc*sin(gamma) + xb);
    LET(yd, sd*sin(gamma) - sc*cos(gamma) + yb);
    LET(length, sqrt((xd - xc)*(xd - xc) + (yd - yc)*(yd - yc)));
    LET(fx, -c0*(length - l0)*(xd - xc)/length);
    LET(fy, -c0*(length - l0)*(yd - yc)/length);
    LET(r4, e - ea);
    LET(r6, zf - fa);

    model->M[0][0] = EQ(m1*ra*ra + m2*(rr*rr - 2*da*rr*cos(Theta) + da*da) + I1 + I2);
    model->M[1][0] = EQ(m2*(da*da - da*rr*cos(Theta)) + I2);
    model->M[1][1] = EQ(m2*da*da + I2);
    model->M[2][2] = EQ(m3*(sa*sa + sb*sb) + I3);
    model->M[3][3] = EQ(m4*r4*r4 + I4);
    model->M[4][3] = EQ(m4*(r4*r4 + zt*r4*sin(Phi)) + I4);
    model->M[4][4] = EQ(m4*(zt*zt + 2*zt*r4*sin(Phi) + r4*r4) + m5*(ta*ta + tb*tb)
                        + I4 + I5);
    model->M[5][5] = EQ(m6*r6*r6 + I6);
    model->M[6][5] = EQ(m6*(r6*r6 - u*r6*sin(Omega)) + I6);
    model->M[6][6] = EQ(m6*(r6*r6 - 2*u*r6*sin(Omega) + u*u) + m7*(ua*ua + ub*ub)
                        + I6 + I7);
    model->F[0] = EQ(mom - m2*da*rr*vTheta*(vTheta + 2*vbeta)*sin(Theta));
    model->F[1] = EQ(m2*da*rr*vbeta*vbeta*sin(Theta));
    model->F[2] = EQ(fx*(sc*cos(gamma) - sd*sin(gamma))
                     + fy*(sd*cos(gamma) + sc*sin(gamma)));
    model->F[3] = EQ(m4*zt*r4*vdelta*vdelta*cos(Phi));
    model->F[4] = EQ(-m4*zt*r4*vPhi*(vPhi + 2*vdelta)*cos(Phi));
    model->F[5] = EQ(-m6*u*r6*veps*veps*cos(Omega));
    model->F[6] = EQ(m6*u*r6*vOmega*(vOmega + 2*veps)*cos(Omega));

    /* loop closure: P from O, less P from B, from A over K5, from A over K7 */
    LET(xf, rr*cos(beta));
    LET(yf, rr*sin(beta));
    LET(xp, xf - d*cos(beta + Theta));
    LET(yp, yf - d*sin(beta + Theta));
    LET(xe, zt*cos(delta) + xa);
    LET(ye, zt*sin(delta) + ya);
    LET(xh, u*sin(eps) + xa);
    LET(yh, -u*cos(eps) + ya);
    model->Phi[0] = EQ(xp - ss*sin(gamma) - xb);
    model->Phi[1] = EQ(yp + ss*cos(gamma) - yb);
    model->Phi[2] = EQ(xp - e*sin(Phi + delta) - xe);
    model->Phi[3] = EQ(yp + e*cos(Phi + delta) - ye);
    model->Phi[4] = EQ(xp - zf*cos(Omega + eps) - xh);
    model->Phi[5] = EQ(yp - zf*sin(Omega + eps) - yh);

    /* Energy: velocities of the centres of K2, K4, K6, which do not turn about a fixed
       point, and moments of inertia of the other bodies about their fixed points. */
    LET(w2, vbeta + vTheta);
    LET(w4, vPhi + vdelta);
    LET(w6, vOmega + veps);
    LET(x2t, -rr*sin(beta)*vbeta + da*sin(beta + Theta)*w2);
    LET(y2t, rr*cos(beta)*vbeta - da*cos(beta + Theta)*w2);
    LET(x4t, -zt*sin(delta)*vdelta + r4*cos(Phi + delta)*w4);
    LET(y4t, zt*cos(delta)*vdelta + r4*sin(Phi + delta)*w4);
    LET(x6t, u*cos(eps)*veps - r6*sin(Omega + eps)*w6);
    LET(y6t, u*sin(eps)*veps + r6*cos(Omega + eps)*w6);
    LET(T1, (m1*ra*ra + I1)*vbeta*vbeta/2);
    LET(T2, (m2*(x2t*x2t + y2t*y2t) + I2*w2*w2)/2);
    LET(T3, (m3*(sa*sa + sb*sb) + I3)*vgamma*vgamma/2);
    LET(T4, (m4*(x4t*x4t + y4t*y4t) + I4*w4*w4)/2);
    LET(T5, (m5*(ta*ta + tb*tb) + I5)*vdelta*vdelta/2);
    LET(T6, (m6*(x6t*x6t + y6t*y6t) + I6*w6*w6)/2);
    LET(T7, (m7*(ua*ua + ub*ub) + I7)*veps*veps/2);
    LET(V, c0*(length - l0)*(length - l0)/2);
    model->energy = EQ(T1 + T2 + T3 + T4 + T5 + T6 + T7 + V - mom*beta);

    model->g[0] = EQ((length - l0)*(length - l0));
    model->g[1] = EQ(lambda1*lambda1 + lambda2*lambda2);

    model->q0[1] = EQ(0);
    model->v0[1] = EQ(0);
    model->q_guess[0] = EQ(-0.06);
    model->q_guess[2] = EQ(0.46);
    model->q_guess[3] = EQ(0.22);
    model->q_guess[4] = EQ(0.49);
    model->q_guess[5] = EQ(-0.22);
    model->q_guess[6] = EQ(1.23);
    model->t_end = EQ(0.03);

    DRAW_LINE(0, 0, xf, yf);
    DRAW_LINE(xf, yf, xp, yp);
    DRAW_LINE(xb, yb, xp, yp);
    DRAW_LINE(xp, yp, xd, yd);
    DRAW_LINE(xb, yb, xd, yd);
    DRAW_LINE(xd, yd, xc, yc);
    DRAW_LINE(xa, ya, xe, ye);
    DRAW_LINE(xe, ye, xp, yp);
    DRAW_LINE(xa, ya, xh, yh);
    DRAW_LINE(xh, yh, xp, yp);

    PUBLISHED("start.q.beta", "-0.0617138900142764496358948458001", TEST_SET);
    PUBLISHED("start.q.gamma", "0.455279819163070380255912382449", TEST_SET);
    PUBLISHED("start.q.Phi", "0.222668390165885884674473185609", TEST_SET);
    PUBLISHED("start.q.delta", "0.487364979543842550225598953530", TEST_SET);
    PUBLISHED("start.q.Omega", "-0.222668390165885884674473185609", TEST_SET);
    PUBLISHED("start.q.eps", "1.23054744454982119249735015568", TEST_SET);
    PUBLISHED("start.a.beta", "14222.4439199541138705911625887", TEST_SET);
    PUBLISHED("start.a.Theta", "-10666.8329399655854029433719415", TEST_SET);
    PUBLISHED("start.lambda.1", "98.5668703962410896057654982170", TEST_SET);
    PUBLISHED("start.lambda.2", "-6.12268834425566265503114393122", TEST_SET);
    DISPUTED("q.beta", "15.81077119629904", TEST_SET, TOLERANCE);
    DISPUTED("q.Theta", "-15.75637105984298", TEST_SET, TOLERANCE);
    DISPUTED("q.gamma", "0.04082224013073101", TEST_SET, TOLERANCE);
    DISPUTED("q.Phi", "-0.5347301163226948", TEST_SET, TOLERANCE);
    DISPUTED("q.delta", "0.5244099658805304", TEST_SET, TOLERANCE);
    DISPUTED("q.Omega", "0.5347301163226948", TEST_SET, TOLERANCE);
    DISPUTED("q.eps", "1.048080741042263", TEST_SET, TOLERANCE);
}

CASE(andrews,
    .name = "andrews",
    .title = "Andrews' squeezing mechanism: seven bodies, three loops, a motor",
    .source = "IVP test set (Mazzia, Magherini 2008), from Schiehlen 1990 and Hairer, "
              "Wanner 1996",
    .declared = "the costs; which parameters are differentiated; the start follows from "
                "Theta = 0 and the loops",
    .classes = "constrained, benchmark, driven",
    .record = record);
