// SPDX-License-Identifier: MIT
#include "schema.h"

#include <string.h>

// Objects by their title: of each field its name, a colon, and its type; a star: an array of that type. All fields are
// required but those with a question mark. What has no row here is a type of JSON schema itself.
// The titles and fields of Foxglove are those of https://docs.foxglove.dev/docs/sdk/schemas.
static const char *const types[][2] = {
    {"time", "sec:integer nsec:integer"},
    {"duration", "sec:integer nsec:integer"},
    {"foxglove.Vector3", "x:number y:number z:number"},
    {"foxglove.Point3", "x:number y:number z:number"},
    {"foxglove.Quaternion", "x:number y:number z:number w:number"},
    {"foxglove.Color", "r:number g:number b:number a:number"},
    {"foxglove.Pose", "position:foxglove.Vector3 orientation:foxglove.Quaternion"},
    {"foxglove.KeyValuePair", "key:string value:string"},

    {"foxglove.FrameTransforms", "transforms*foxglove.FrameTransform"},
    {"foxglove.FrameTransform",
     "timestamp:time parent_frame_id:string child_frame_id:string translation:foxglove.Vector3 "
     "rotation:foxglove.Quaternion"},

    {"foxglove.SceneUpdate", "deletions*foxglove.SceneEntityDeletion entities*foxglove.SceneEntity"},
    {"foxglove.SceneEntityDeletion", "timestamp:time type:integer id:string"},
    {"foxglove.SceneEntity",
     "timestamp:time frame_id:string id:string lifetime:duration frame_locked:boolean metadata*foxglove.KeyValuePair "
     "arrows*foxglove.ArrowPrimitive cubes*foxglove.CubePrimitive spheres*foxglove.SpherePrimitive "
     "cylinders*foxglove.CylinderPrimitive lines*foxglove.LinePrimitive triangles*foxglove.TriangleListPrimitive "
     "texts*foxglove.TextPrimitive models*foxglove.ModelPrimitive"},
    {"foxglove.ArrowPrimitive", "pose:foxglove.Pose shaft_length:number shaft_diameter:number head_length:number "
                                "head_diameter:number color:foxglove.Color"},
    {"foxglove.CubePrimitive", "pose:foxglove.Pose size:foxglove.Vector3 color:foxglove.Color"},
    {"foxglove.SpherePrimitive", "pose:foxglove.Pose size:foxglove.Vector3 color:foxglove.Color"},
    {"foxglove.CylinderPrimitive",
     "pose:foxglove.Pose size:foxglove.Vector3 bottom_scale:number top_scale:number color:foxglove.Color"},
    {"foxglove.LinePrimitive", "type:integer pose:foxglove.Pose thickness:number scale_invariant:boolean "
                               "points*foxglove.Point3 color:foxglove.Color colors*foxglove.Color indices*integer"},
    {"foxglove.TriangleListPrimitive",
     "pose:foxglove.Pose points*foxglove.Point3 color:foxglove.Color colors*foxglove.Color indices*integer"},
    {"foxglove.TextPrimitive", "pose:foxglove.Pose billboard:boolean font_size:number scale_invariant:boolean "
                               "color:foxglove.Color text:string"},
    {"foxglove.ModelPrimitive", "pose:foxglove.Pose scale:foxglove.Vector3 color:foxglove.Color override_color:boolean "
                                "url:string media_type:string data:string"},

    {"tactus.Bodies", "timestamp:time bodies*tactus.Body"},
    {"tactus.Body", "name:string velocity:foxglove.Vector3 omega:foxglove.Vector3"},
    {"tactus.Joints", "timestamp:time joints*tactus.Joint"},
    {"tactus.Joint", "name:string unit?string position?number velocity?number effort?tactus.Effort "
                     "switch?string force:foxglove.Vector3 torque:foxglove.Vector3"},
    {"tactus.Effort", "passive:number motor:number friction:number limit:number"},
    {"tactus.Contacts", "timestamp:time dropped:integer contacts*tactus.Contact"},
    {"tactus.Contact", "body_a:string body_b:string shape_a:string shape_b:string feature:integer mode:string "
                       "point:foxglove.Vector3 normal:foxglove.Vector3 gap:number mu:number restitution:number "
                       "impulse:foxglove.Vector3 force:foxglove.Vector3 slip:foxglove.Vector3"},
    {"tactus.Report",
     "timestamp:time step:integer hash:string status:integer verdict:string contacts:integer "
     "dropped:integer sweeps:integer impacts:integer law:integer residual:number penetration:number "
     "joint_error:number joint_iterations:integer kinetic:number potential:number stages*tactus.Stage"},
    {"tactus.Stage", "sweeps:integer engine:integer op:integer law:integer why:integer"},
};

static const char *fields_of(const char *title, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strlen(types[i][0]) == length && strncmp(types[i][0], title, length) == 0) return types[i][1];
    }
    return NULL;
}

static void put_type(bytes *b, const char *title, size_t length);

static void put_fields(bytes *b, const char *fields)
{
    bytes_print(b, ",\"properties\":{");
    for (const char *at = fields; *at != '\0';) {
        const size_t name = strcspn(at, ":*?"), type = strcspn(at + name + 1, " ");
        bytes_print(b, "%s\"%.*s\":%s", at == fields ? "" : ",", (int)name, at,
                    at[name] == '*' ? "{\"type\":\"array\",\"items\":" : "");
        put_type(b, at + name + 1, type);
        if (at[name] == '*') bytes_print(b, "}");
        at += name + 1 + type;
        at += strspn(at, " ");
    }
    bytes_print(b, "},\"required\":[");
    for (const char *at = fields, *comma = ""; *at != '\0';) {
        const size_t name = strcspn(at, ":*?");
        if (at[name] != '?') {
            bytes_print(b, "%s\"%.*s\"", comma, (int)name, at);
            comma = ",";
        }
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    bytes_print(b, "]");
}

static void put_type(bytes *b, const char *title, size_t length)
{
    const char *fields = fields_of(title, length);

    if (fields == NULL) {
        bytes_print(b, "{\"type\":\"%.*s\"}", (int)length, title);
        return;
    }
    bytes_print(b, "{\"title\":\"%.*s\",\"type\":\"object\"", (int)length, title);
    put_fields(b, fields);
    bytes_print(b, "}");
}

bytes schema_of(const char *title)
{
    bytes text = {NULL, 0, 0, 0};
    put_type(&text, title, strlen(title));
    return text;
}
