/**
 * `@candela/contract` in a browser: its types alone. The import of a value fails the build, because a value would bring
 * zod and every schema. Values come from `@candela/contract/rules/…` and the other entries of package.json.
 */
export {};
