/**
 * What `@candela/contract` is in a browser: its types alone. A value imported from there fails the build, as it would
 * bring zod and every schema; values come from `@candela/contract/rules/…` and the other entries of package.json.
 */
export {};
