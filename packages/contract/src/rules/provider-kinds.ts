/** The kinds of identity providers; `oidc` is any issuer with discovery (OpenID Connect Discovery 1.0). */
export const providerKinds = ['google', 'apple', 'wechat', 'vk', 'yandex', 'line', 'oidc'] as const;
export type ProviderKindName = (typeof providerKinds)[number];
