// SPDX-License-Identifier: MIT
// tactus.c - the kernel: this list, top to bottom. A part sees only what stands above it; see src/README.md.

// scalars, vectors, small matrices, hashes, boxes in a tree
#include "base/real.h"
#include "base/bytes.h"
#include "base/vec.h"
#include "base/dense.h"
#include "base/hash.h"
#include "base/tree.h"
// what the world is
#include "model/shape.h"
#include "model/polyhedron.h"
#include "model/hull.h"
#include "model/mesh.h"
#include "model/model.h"
#include "model/check.h"
// where shapes meet
#include "geometry/points.h"
#include "geometry/side.h"
#include "geometry/clip.h"
#include "geometry/face.h"
#include "geometry/round.h"
#include "geometry/box.h"
#include "geometry/nearest.h"
#include "geometry/deep.h"
#include "geometry/convex.h"
#include "geometry/surface.h"
#include "geometry/triangles.h"
#include "geometry/field.h"
#include "geometry/broad.h"
#include "geometry/contacts.h"
// contacts as blocks of the cone program
#include "rows/cone.h"
#include "rows/contact_rows.h"
#include "rows/warm.h"
// the cone program
#include "solve/plain.h"
#include "solve/accelerated.h"
#include "solve/solve.h"
// one step in time
#include "step/move.h"
#include "step/project.h"
#include "step/energy.h"
#include "step/ccp.h"
// questions
#include "query/verify.h"
#include "query/names.h"
// the cone program without a world (TAC_SOLVE)
#include "program/set.h"
#include "program/sparse.h"
#include "program/certificate.h"
#include "program/sweep.h"
#include "program/gradient.h"
#include "program/factor.h"
#include "program/newton.h"
#include "program/interior.h"
#include "program/direct.h"
#include "program/program.h"
// the roof
#include "api.h"
