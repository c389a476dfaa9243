// SPDX-License-Identifier: MIT
// shapes.js - the geometry of a collision shape, in its own frame. Equal shapes share one.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { KIND } from './world.js';

// Round bodies get darker octants, so that one sees them roll.
function inOctants(geometry) {
    const flat = geometry.toNonIndexed(), at = flat.attributes.position, colour = new Float32Array(3 * at.count);
    for (let i = 0; i < at.count; i += 3) {
        const middle = ['getX', 'getY', 'getZ'].map((get) => at[get](i) + at[get](i + 1) + at[get](i + 2));
        const dark = middle.filter((x) => x > 0).length % 2 === 0 ? 1 : 0.72;
        colour.fill(dark, 3 * i, 3 * i + 9);
    }
    flat.setAttribute('color', new THREE.BufferAttribute(colour, 3));
    return flat;
}

function alongZ(geometry) {
    return geometry.rotateX(Math.PI / 2);
}

function ofTriangles(triangles) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(triangles, 3));
    geometry.computeVertexNormals();
    return geometry;
}

function box(size, rounding) {
    const radius = Math.max(rounding, 0.04 * Math.min(...size));
    return new RoundedBoxGeometry(...size.map((x) => 2 * (x + rounding)), 2, radius);
}

function make({ kind, size, rounding: r, triangles }, reach) {
    switch (kind) {
    case KIND.halfSpace: return new THREE.PlaneGeometry(reach, reach);
    case KIND.sphere: return inOctants(new THREE.SphereGeometry(size[0] + r, 32, 16));
    case KIND.capsule: return inOctants(alongZ(new THREE.CapsuleGeometry(size[0] + r, 2 * size[2], 8, 24, 2)));
    case KIND.box: return box(size, r);
    case KIND.cylinder: return inOctants(alongZ(new THREE.CylinderGeometry(size[0] + r, size[0] + r, 2 * (size[2] + r), 32, 2)));
    case KIND.cone: return inOctants(alongZ(new THREE.ConeGeometry(size[0] + r, 2 * (size[2] + r), 32, 2)));
    case KIND.ellipsoid: return inOctants(new THREE.SphereGeometry(1, 32, 16)).scale(...size.map((x) => x + r));
    default: return ofTriangles(triangles);
    }
}

export class Shapes {
    constructor(reach) {
        this.reach = reach; // of planes that have no end
        this.made = new Map();
    }

    geometry(shape) {
        const key = [shape.kind, ...shape.size, shape.rounding, shape.kind >= KIND.hull ? shape.data : 0].join();
        if (!this.made.has(key)) this.made.set(key, make(shape, this.reach));
        return this.made.get(key);
    }

    dispose() {
        for (const geometry of this.made.values()) geometry.dispose();
        this.made.clear();
    }
}
