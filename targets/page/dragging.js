// SPDX-License-Identifier: MIT
// dragging.js - a spring between the mouse and a body, in the plane through the point that faces the camera.
import * as THREE from 'three';

export class Dragging {
    // `world()`: the world that can be pulled now, or null; `grabbed`: what is done before the first pull.
    constructor(canvas, drawing, world, grabbed) {
        this.drawing = drawing;
        this.world = world;
        this.grabbed = grabbed;
        this.canvas = canvas;
        this.held = null;
        canvas.addEventListener('pointerdown', (event) => this.down(event), true);
        canvas.addEventListener('pointermove', (event) => this.move(event));
        for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => this.up());
    }

    ray(event) {
        const box = this.canvas.getBoundingClientRect();
        return this.drawing.ray((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
    }

    down(event) {
        const world = this.world();
        if (event.button !== 0 || event.shiftKey || world === null) return;
        const ray = this.ray(event);
        this.grabbed();
        const hit = world.pick(ray.origin.toArray(), ray.direction.toArray());
        if (hit === null) return;
        const point = new THREE.Vector3(...hit.point), at = this.drawing.pointOf(hit.body, point);
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(ray.direction, at);
        this.held = { world, body: hit.body, point, plane, target: at.clone() };
        this.drawing.controls.enabled = false;
        this.pull();
    }

    move(event) {
        if (this.held === null) return;
        const target = this.ray(event).intersectPlane(this.held.plane, new THREE.Vector3());
        if (target === null) return;
        this.held.target = target;
        this.pull();
    }

    pull() {
        const { world, body, point, target } = this.held;
        world.pull(body, point.toArray(), target.toArray());
    }

    up() {
        if (this.held === null) return;
        this.held.world.release();
        this.held = null;
        this.drawing.controls.enabled = true;
    }

    draw() {
        if (this.held === null) this.drawing.drawSpring(null);
        else this.drawing.drawSpring(this.drawing.pointOf(this.held.body, this.held.point), this.held.target);
    }
}
