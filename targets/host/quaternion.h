// SPDX-License-Identifier: MIT
// quaternion.h - quaternions of the tool, in double whatever the kernel's precision is.
#ifndef HOST_QUATERNION_H
#define HOST_QUATERNION_H

typedef struct quaternion {
    double w, x, y, z;
} quaternion;

static inline quaternion quaternion_product(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

#endif
