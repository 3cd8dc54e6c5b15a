// Reads a file with speedscope's own importer, and prints what it understood as JSON.
//
//      node speedscope.js PACKAGE FILE
//
// PACKAGE is the unpacked npm package.  Its importer is a bundle that is made for browsers:
// the main one is run for the modules that it brings and fails where it wants a window.
const fs = require("fs"), path = require("path"), vm = require("vm");

const release = path.join(process.argv[2], "dist", "release");
const file = process.argv[3];

function bundle(prefix) {
    const name = fs.readdirSync(release).find((n) => n.startsWith(prefix) && n.endsWith(".js"));
    if (!name)
        throw new Error("speedscope has no file " + prefix + "*.js");
    return fs.readFileSync(path.join(release, name), "utf8");
}

globalThis.window = globalThis;
globalThis.self = globalThis;
for (const prefix of ["speedscope.", "import."]) {
    const before = globalThis.parcelRequire;
    try {
        vm.runInThisContext(bundle(prefix), { filename: prefix });
    } catch (wanted) {
        if (globalThis.parcelRequire === before)
            throw wanted;
    }
}

function importer() {
    for (const [id, [code]] of Object.entries(parcelRequire.modules))
        if (/exports\.importProfileGroupFromText=/.test(code.toString()))
            return parcelRequire(id);
    throw new Error("speedscope has no importer");
}

// Each frame with what ran in it alone, and in it with all that it called.
function frames(profile) {
    const found = {};
    profile.forEachFrame((frame) => {
        found[frame.name] = { self: frame.getSelfWeight(), total: frame.getTotalWeight() };
    });
    return found;
}

// The calls, as "open NAME AT" and "close NAME AT".
function calls(profile) {
    const found = [];
    profile.forEachCall((node, at) => found.push(["open", node.frame.name, at]),
                        (node, at) => found.push(["close", node.frame.name, at]));
    return found;
}

importer().importProfileGroupFromText(path.basename(file), fs.readFileSync(file, "utf8"))
    .then((group) => {
        if (!group)
            throw new Error("speedscope does not know what it is");
        console.log(JSON.stringify(group.profiles.map((profile) => ({
            name: profile.getName(), unit: profile.getWeightUnit(),
            total: profile.getTotalWeight(), frames: frames(profile), calls: calls(profile),
        }))));
    })
    .catch((error) => { console.error(error.message); process.exit(1); });
