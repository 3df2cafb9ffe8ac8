// The package's declarations as data: the fields of a declared type, and whether a value is of it, to the last field.

import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../../scripts/program.mjs";

// The newest compiler has no API; this one came with @arethetypeswrong/core.
const require = createRequire(import.meta.url);
const ts = createRequire(require.resolve("@arethetypeswrong/core"))("typescript");

const files = ["index", "market", "sandbox", "record", "gateway"].map((stem) => join(root, `pkg/dist/${stem}.d.ts`));
const program = ts.createProgram(files, {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  types: [],
});
const checker = program.getTypeChecker();
const exportsOf = (file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
/** All of them by name: each is declared once. */
const exported = new Map(
  files
    .flatMap(exportsOf)
    .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
);

/** Those that are only parts of others, too. */
const declared = new Map([...program.getSourceFile(join(root, "pkg/dist/shared.d.ts")).locals, ...exported]);

const typeOf = (name) => {
  const symbol = declared.get(name);
  if (!symbol) throw new Error(`no type ${name} is declared`);
  return checker.getDeclaredTypeOfSymbol(symbol);
};
const typeOfProperty = (property) => checker.getNonOptionalType(checker.getTypeOfSymbol(property));
const isOptional = (property) => (property.flags & ts.SymbolFlags.Optional) !== 0;

/** The names of every exported interface. */
export const interfaces = () =>
  [...exported].filter(([, symbol]) => symbol.flags & ts.SymbolFlags.Interface).map(([name]) => name);

/** The names of a declared type's fields; only the optional ones, or only the others, if asked. */
export const fieldsOf = (name) => checker.getPropertiesOfType(typeOf(name)).map(({ name }) => name);

/** The names of the optional fields of a declared type. */
export const optionalFieldsOf = (name) =>
  checker
    .getPropertiesOfType(typeOf(name))
    .filter(isOptional)
    .map(({ name }) => name);

/** The literals of a declared union of them: `Code`, `Operation`, … */
export const literalsOf = (name) => typeOf(name).types.map(({ value }) => value);

/** What a method or function gives, once awaited. */
const resultOf = (symbol) => {
  const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Call);
  const type = signature.getReturnType();
  return ["Promise", "TradePromise"].includes(type.symbol?.name) ? checker.getTypeArguments(type)[0] : type;
};

function misfit(value, type, path) {
  const { flags } = type;
  const not = (what) => [
    `${path} is ${typeof value === "object" ? JSON.stringify(value) : `${typeof value} ${String(value)}`}, not ${what}`,
  ];
  const primitives = [
    [ts.TypeFlags.Unknown, () => true],
    [ts.TypeFlags.String, (value) => typeof value === "string"],
    [ts.TypeFlags.Number, (value) => typeof value === "number"],
    [ts.TypeFlags.Boolean, (value) => typeof value === "boolean"],
    [ts.TypeFlags.BigInt, (value) => typeof value === "bigint"],
    [ts.TypeFlags.Null, (value) => value === null],
    [ts.TypeFlags.Undefined, (value) => value === undefined],
    [ts.TypeFlags.StringLiteral | ts.TypeFlags.NumberLiteral, (value) => value === type.value],
    [ts.TypeFlags.BooleanLiteral, (value) => String(value) === type.intrinsicName],
  ];
  const primitive = primitives.find(([mask]) => flags & mask);
  if (primitive) return primitive[1](value) ? [] : not(checker.typeToString(type));
  if (type.isUnion()) {
    const misfits = type.types.map((one) => misfit(value, one, path));
    // The branch that fits best tells most.
    return misfits.reduce((best, next) => (next.length < best.length ? next : best)).slice();
  }
  if (typeof value !== "object" || value === null) return not(checker.typeToString(type));
  if (checker.isArrayType(type)) {
    if (!Array.isArray(value)) return not("an array");
    const [element] = checker.getTypeArguments(type);
    return value.flatMap((item, index) => misfit(item, element, `${path}[${index}]`));
  }
  const properties = checker.getPropertiesOfType(type);
  const declared = new Set(properties.map(({ name }) => name));
  const undeclared = Object.keys(value).filter((name) => !declared.has(name));
  return [
    ...undeclared.map((name) => `${path}.${name} is not declared`),
    ...properties.flatMap((property) => {
      if (property.name in value)
        return misfit(value[property.name], typeOfProperty(property), `${path}.${property.name}`);
      return isOptional(property) ? [] : [`${path}.${property.name} is declared, and missing`];
    }),
  ];
}

/** What is wrong with `value` as a value of the declared type: nothing, or a sentence for each misfit. */
export const misfits = (value, name) => misfit(value, typeOf(name), name);

/** The same for what a function, or a method as `Class.method`, is declared to give; or for a property of a class. */
export function resultMisfits(value, path) {
  const [name, member] = path.split(".");
  if (!member) return misfit(value, resultOf(exported.get(name)), path);
  const symbol = checker.getPropertyOfType(typeOf(name), member);
  if (!symbol) throw new Error(`no ${path} is declared`);
  return misfit(value, symbol.flags & ts.SymbolFlags.Method ? resultOf(symbol) : checker.getTypeOfSymbol(symbol), path);
}
