import type { PlatformPreset } from '@candela/contract/rules/client-presets';
import type { LinkTarget } from '@candela/contract/rules/link-targets';
import type { ClientEntry } from './client-entry.ts';
import type { RefreshMode } from './policy-metadata.ts';
import { DAY, HOUR, type PlatformRedirects, type Preset, type SECRET_METHODS } from './preset.ts';

type SecretMethod = (typeof SECRET_METHODS)[number];

interface Platform {
  linksTo: LinkTarget;
  /** How the platform authenticates; the first unless the registration says another one. */
  methods: readonly [SecretMethod, ...SecretMethod[]];
  /** What becomes of its refresh tokens; the first unless the registration says another one. */
  refreshModes: readonly [RefreshMode, ...RefreshMode[]];
  redirects: PlatformRedirects;
  /** What the platform’s documentation asks for beyond that: no registration says anything else. */
  needs?: Partial<Record<keyof ClientEntry & string, string | true>>;
  defaults?: Partial<ClientEntry>;
}

/** Account linking: a linked home stays linked while it is used. */
const linking = {
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  id_token_signed_response_alg: 'ES256',
  access_token_ttl: HOUR,
  refresh_token_ttl: 400 * DAY,
  // The platforms authenticate with a secret, and send a PKCE challenge only where it is switched on.
  require_pkce: false,
  bare_invalid_grant: true,
} satisfies Partial<ClientEntry>;

const toPreset = ({ linksTo, methods, refreshModes, redirects, needs = {}, defaults }: Platform): Preset => ({
  defaults: {
    ...linking,
    ...defaults,
    token_endpoint_auth_method: methods[0],
    refresh_mode: refreshModes[0],
    links_to: linksTo,
    ...needs,
  },
  only: {
    application_type: ['web'],
    // An absolute end would unlink homes that are in use.
    refresh_family_ttl: [undefined],
    token_endpoint_auth_method: methods,
    refresh_mode: refreshModes,
    links_to: [linksTo],
    ...Object.fromEntries(Object.entries(needs).map(([field, value]) => [field, [value]])),
  },
  grantTypes: { needed: ['authorization_code', 'refresh_token'], possible: [] },
  redirects,
});

/** Redirect URIs that are the same for everybody. */
const same = (first: string, ...others: string[]): PlatformRedirects => {
  const uris = [first, ...others];
  const form = uris.map((uri) => uri.replaceAll('.', '\\.')).join('|');
  return { of: () => uris, form: new RegExp(`^(?:${form})$`), example: first };
};

const IN_BODY = ['client_secret_post', 'client_secret_basic'] as const;
const REPLACED = ['overlap', 'static'] as const;

/** What each platform documents of account linking: see docs/integrating/platforms.md. */
const documented: Record<PlatformPreset, Platform> = {
  alexa: {
    linksTo: 'alexa',
    defaults: { native_approval: true },
    methods: ['client_secret_basic', 'client_secret_post'],
    refreshModes: REPLACED,
    redirects: {
      id: { field: 'vendor_id', form: /^[A-Za-z0-9]{5,40}$/, example: 'M2AAAAAAAAAAAA' },
      of: (id) => [
        `https://pitangui.amazon.com/api/skill/link/${id}`,
        `https://layla.amazon.com/api/skill/link/${id}`,
        `https://alexa.amazon.co.jp/api/skill/link/${id}`,
      ],
      form: /^https:\/\/(?:pitangui\.amazon\.com|layla\.amazon\.com|alexa\.amazon\.co\.jp)\/api\/skill\/link\/[A-Za-z0-9]{5,40}$/,
      example: 'https://pitangui.amazon.com/api/skill/link/M2AAAAAAAAAAAA',
    },
  },
  'google-home': {
    linksTo: 'google',
    defaults: { native_approval: true, policy_uri: 'https://policies.google.com/privacy' },
    methods: IN_BODY,
    // Google keeps its first refresh token, and ignores the refresh tokens of later answers.
    refreshModes: ['static'],
    redirects: {
      id: { field: 'project_id', form: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, example: 'our-lights-1a2b3' },
      of: (id) => [
        `https://oauth-redirect.googleusercontent.com/r/${id}`,
        `https://oauth-redirect-sandbox.googleusercontent.com/r/${id}`,
        // The Google Home app on iOS, which opens the brand's app (App Flip).
        'https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast',
      ],
      form: /^https:\/\/oauth-redirect(?:(?:-sandbox)?\.googleusercontent\.com\/r\/[a-z][a-z0-9-]{4,28}[a-z0-9]|\.googleusercontent\.com\/a\/com\.google\.Chromecast)$/,
      example: 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3',
    },
  },
  'home-assistant': {
    linksTo: 'home-assistant',
    methods: ['client_secret_post'],
    refreshModes: REPLACED,
    redirects: {
      ...same('https://my.home-assistant.io/redirect/oauth'),
      // The second is the callback of an installation that does not use the redirect page.
      form: /^https:\/\/(?:my\.home-assistant\.io\/redirect\/oauth|[^/?#@\\]+\/auth\/external\/callback)$/,
    },
  },
  alice: {
    linksTo: 'yandex',
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: same('https://social.yandex.net/broker/redirect'),
    // An unlinking is told with the person's access token, which the device cloud revokes: it has no other.
    needs: { revocation_ends_link: true },
  },
  salute: {
    linksTo: 'sber',
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: {
      ...same('https://gateway.iot.sberdevices.ru/gateway/v1/binder/backward'),
      // The second is the gateway by which an integration is debugged.
      form: /^https:\/\/(?:gateway\.iot\.sberdevices\.ru\/gateway\/v1\/binder\/backward|gateway-ift-le\.iot\.pd\.sberdevices\.ru\/[\w./-]*)$/,
    },
  },
  'tmall-genie': {
    linksTo: 'tmall-genie',
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: same('https://open.bot.tmall.com/oauth/callback'),
    needs: { redirect_uri_parameters: 'skillId token', token_request_in_query: true },
  },
  xiaodu: {
    linksTo: 'xiaodu',
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: {
      of: () => [],
      form: /^https:\/\/[a-z0-9.-]+\.baidu\.com\/[\w./-]+$/,
      example: 'https://xiaodu.baidu.com/saiya/auth/0123456789abcdef0123456789abcdef',
    },
  },
  smartthings: {
    linksTo: 'smartthings',
    defaults: { native_approval: true },
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: same(
      'https://c2c-us.smartthings.com/oauth/callback',
      'https://c2c-eu.smartthings.com/oauth/callback',
      'https://c2c-ap.smartthings.com/oauth/callback',
    ),
    // Its documentation requires a button to be pressed at each linking.
    needs: { always_ask: true },
  },
  ifttt: {
    linksTo: 'ifttt',
    methods: IN_BODY,
    refreshModes: REPLACED,
    redirects: {
      id: { field: 'service_id', form: /^[a-z0-9][a-z0-9_-]{1,62}$/, example: 'our_lights' },
      of: (id) => [`https://ifttt.com/channels/${id}/authorize`],
      form: /^https:\/\/ifttt\.com\/channels\/[a-z0-9][a-z0-9_-]{1,62}\/authorize$/,
      example: 'https://ifttt.com/channels/our_lights/authorize',
    },
  },
  'aws-iot': {
    // People link their homes to the platform of whoever runs it on AWS.
    linksTo: 'app',
    methods: ['client_secret_basic', 'client_secret_post'],
    refreshModes: REPLACED,
    redirects: {
      of: () => [],
      form: /^https:\/\/[^/?#@\\]+\/[^#\\]*$/,
      example: 'https://an-address-that-aws-shows.example/callback',
    },
  },
};

/** The registration of each platform that people link their homes to. */
export const platforms = Object.fromEntries(
  Object.entries(documented).map(([name, platform]) => [name, toPreset(platform)]),
) as Record<PlatformPreset, Preset>;
