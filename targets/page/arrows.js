// SPDX-License-Identifier: MIT
// arrows.js - the forces of contacts as arrows, one draw call for all: green where a contact sticks, red where it slips; those of
// a second run orange.
import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { CONTACT_FLOATS } from './world.js';

const MOST = 1600, SLIDES = 2;
const STICKS = new THREE.Color(0x1f9d55), SLIPS = new THREE.Color(0xe03131), SECOND = new THREE.Color(0xff7a1a);
const UP = new THREE.Vector3(0, 1, 0);

// From the origin along y: a shaft that can be as long as is needed, and its head.
function arrow() {
    const shaft = new THREE.CylinderGeometry(0.035, 0.035, 0.75, 8).translate(0, 0.375, 0);
    return mergeGeometries([shaft, new THREE.ConeGeometry(0.1, 0.25, 12).translate(0, 0.875, 0)]);
}

export class Arrows {
    constructor() {
        const material = new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.92 });
        this.mesh = new THREE.InstancedMesh(arrow(), material, MOST);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 3;
        this.mesh.setColorAt(0, STICKS);
        this.largest = 0; // N, what the longest arrow stands for
        this.at = new THREE.Vector3();
        this.force = new THREE.Vector3();
        this.turn = new THREE.Quaternion();
        this.size = new THREE.Vector3();
        this.matrix = new THREE.Matrix4();
    }

    restart() {
        this.largest = 0;
    }

    // The scale follows the largest force at once when it rises, slowly when it falls.
    scale(contacts) {
        let now = 0;
        for (let k = 0; k < contacts.length; k += CONTACT_FLOATS) now = Math.max(now, Math.hypot(contacts[k + 3], contacts[k + 4], contacts[k + 5]));
        this.largest = Math.max(now, 0.97 * this.largest);
    }

    draw(first, second, radius) {
        const contacts = second.length > 0 ? Float32Array.of(...first, ...second) : first;
        this.scale(contacts);
        const most = Math.min(contacts.length / CONTACT_FLOATS, MOST), longest = 0.55 * radius, thin = most > 100 ? 0.25 : 0.55;
        let count = 0;
        for (let i = 0, k = 0; i < most; i++, k += CONTACT_FLOATS) {
            this.force.set(contacts[k + 3], contacts[k + 4], contacts[k + 5]);
            const newton = this.force.length(), length = longest * newton / this.largest;
            if (!(length > 0.01 * longest)) continue;
            this.at.set(contacts[k], contacts[k + 1], contacts[k + 2]);
            this.turn.setFromUnitVectors(UP, this.force.multiplyScalar(1 / newton));
            const wide = Math.min(longest, Math.max(length, 0.35 * longest)) * thin;
            this.mesh.setMatrixAt(count, this.matrix.compose(this.at, this.turn, this.size.set(wide, length, wide)));
            this.mesh.setColorAt(count++, k >= first.length ? SECOND : contacts[k + 9] === SLIDES ? SLIPS : STICKS);
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
        this.mesh.instanceColor.needsUpdate = true;
    }
}
