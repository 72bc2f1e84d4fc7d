/** What an authorization request may ask a person (`prompt`, OpenID Connect Core 3.1.2.1; `create`, Prompt Create 1.0). */
export const prompts = ['login', 'consent', 'select_account', 'create'] as const;
export type Prompt = (typeof prompts)[number];
