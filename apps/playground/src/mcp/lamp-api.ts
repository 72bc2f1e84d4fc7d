/** The scopes of the lamps, as people read them when they approve an assistant. */
export const lampScopes = [
  {
    name: 'lamps:read',
    description: {
      en: 'see your two example lamps',
      ru: 'видеть две ваши лампы из примера',
      'zh-Hans': '查看您的两盏示例灯',
      'zh-Hant': '查看您的兩盞範例燈',
    },
  },
  {
    name: 'lamps:switch',
    description: {
      en: 'switch your two example lamps on and off',
      ru: 'включать и выключать две ваши лампы из примера',
      'zh-Hans': '开关您的两盏示例灯',
      'zh-Hant': '開關您的兩盞範例燈',
    },
  },
] as const;

/** The API to register with the authorization server, in the form of RESOURCES_FILE. `url` is the playground's. */
export function lampApi(url: string) {
  return {
    identifier: `${url}/mcp`,
    name: 'Playground lamps',
    scopes: lampScopes.map((scope) => ({ ...scope })),
    access_token_format: 'jwt',
    access_token_signing_alg: 'ES256',
    /** The least there is: whoever withdraws an assistant waits no longer until it is out. */
    access_token_ttl: 360,
  };
}
