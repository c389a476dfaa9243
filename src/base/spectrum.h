// SPDX-License-Identifier: MIT
// spectrum.h - eigenvalues and eigenvectors of a symmetric 5x5 matrix: Jacobi's method.
//   given   a matrix, positive semidefinite
//   makes   its eigenvalues and an orthonormal basis of eigenvectors
//   bound   SPECTRUM_SWEEPS sweeps of ten rotations
//   never   uses an absolute tolerance: an entry is negligible relative to its two diagonal entries, so small
//           eigenvalues are as accurate as large ones
#ifndef BASE_SPECTRUM_H
#define BASE_SPECTRUM_H

#include "real.h"

#define SPECTRUM_ROWS 5
#define SPECTRUM_SWEEPS 8 // quadratic convergence: full double precision after five or six

// (x, y) becomes (c x - s y, s x + c y).
static inline void spectrum_turn(real *x, real *y, real c, real s)
{
    const real a = *x, b = *y;
    *x = c * a - s * b;
    *y = s * a + c * b;
}

// The rotation of the axes p and q that zeroes a_pq, by atan(t), |t| <= 1.
static void spectrum_rotate(real a[SPECTRUM_ROWS][SPECTRUM_ROWS], real base[SPECTRUM_ROWS][SPECTRUM_ROWS], int p, int q)
{
    const real off = a[p][q];
    if (off * off <= REAL_EPSILON * REAL_EPSILON * (a[p][p] * a[q][q])) { return; }
    const real theta = (a[q][q] - a[p][p]) / (R(2.0) * off);
    const real root = real_sqrt(theta * theta + R(1.0)); // may be infinite: then t is 0, the entry negligible
    const real t = R(1.0) / (theta >= R(0.0) ? theta + root : theta - root);
    const real c = R(1.0) / real_sqrt(t * t + R(1.0)), s = t * c;
    for (int i = 0; i < SPECTRUM_ROWS; i++) {
        spectrum_turn(&a[i][p], &a[i][q], c, s);
        spectrum_turn(&base[i][p], &base[i][q], c, s);
    }
    for (int i = 0; i < SPECTRUM_ROWS; i++) { spectrum_turn(&a[p][i], &a[q][i], c, s); }
    a[p][q] = a[q][p] = R(0.0);
}

// a = base diag(value) base'; a is overwritten.
static void spectrum(real a[SPECTRUM_ROWS][SPECTRUM_ROWS], real value[SPECTRUM_ROWS],
                     real base[SPECTRUM_ROWS][SPECTRUM_ROWS])
{
    for (int i = 0; i < SPECTRUM_ROWS; i++) {
        for (int k = 0; k < SPECTRUM_ROWS; k++) { base[i][k] = i == k ? R(1.0) : R(0.0); }
    }
    for (int sweep = 0; sweep < SPECTRUM_SWEEPS; sweep++) {
        for (int p = 0; p < SPECTRUM_ROWS; p++) {
            for (int q = p + 1; q < SPECTRUM_ROWS; q++) { spectrum_rotate(a, base, p, q); }
        }
    }
    for (int i = 0; i < SPECTRUM_ROWS; i++) { value[i] = a[i][i]; }
}

#endif
