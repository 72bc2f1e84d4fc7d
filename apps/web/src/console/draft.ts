import type { CreateClient } from '@candela/contract';
import type { OfferedPreset } from './preset-choice.tsx';

/** The answers of the form that registers a client. The answers to other kinds stay while the kind changes. */
export interface Draft {
  preset: OfferedPreset;
  name: string;
  uris: readonly string[];
  vendorId: string;
  projectId: string;
  serviceId: string;
}

/** What a kind of app needs to know about the return of people. */
export const returnsTo = {
  web: 'uris',
  spa: 'uris',
  native: 'uris',
  device: 'nowhere',
  alexa: 'id',
  'google-home': 'id',
  'home-assistant': 'platform',
  alice: 'platform',
  salute: 'platform',
  'tmall-genie': 'platform',
  xiaodu: 'uris',
  smartthings: 'platform',
  ifttt: 'id',
  'aws-iot': 'uris',
  machine: 'nowhere',
} as const satisfies Record<OfferedPreset, string>;

/** The return addresses of platforms that have the same for everybody. */
export const platformUris: Readonly<Partial<Record<OfferedPreset, readonly string[]>>> = {
  'home-assistant': ['https://my.home-assistant.io/redirect/oauth'],
  alice: ['https://social.yandex.net/broker/redirect'],
  salute: ['https://gateway.iot.sberdevices.ru/gateway/v1/binder/backward'],
  'tmall-genie': ['https://open.bot.tmall.com/oauth/callback'],
  smartthings: ['us', 'eu', 'ap'].map((region) => `https://c2c-${region}.smartthings.com/oauth/callback`),
};

const filled = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter(Boolean);

/** The registration that the answers make. */
export const bodyOf = ({ preset, name, uris, vendorId, projectId, serviceId }: Draft): CreateClient => {
  const common = { preset, client_name: name.trim() };
  if (preset === 'alexa') return { ...common, vendor_id: vendorId.trim() };
  if (preset === 'google-home') return { ...common, project_id: projectId.trim() };
  if (preset === 'ifttt') return { ...common, service_id: serviceId.trim() };
  return returnsTo[preset] === 'uris' ? { ...common, redirect_uris: filled(uris) } : common;
};

/** The same registration as words of the command line. */
export const wordsOf = (draft: Draft): string[] => {
  const { preset, client_name: name = '', redirect_uris: uris, ...others } = bodyOf(draft);
  const redirects = (uris ?? []).flatMap((uri) => ['--redirect-uri', uri]);
  const rest = Object.entries(others).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
  return ['create', '--preset', preset, '--name', name, ...redirects, ...rest];
};

/** The field of the form to which a field of the registration belongs: blank lines are not among its addresses. */
export const formFieldOf = ({ uris }: Draft, field: string): string => {
  if (field === 'redirect_uris') return 'redirect_uris.0';
  const [, place] = /^redirect_uris\.(\d+)$/.exec(field) ?? [];
  if (place === undefined) return field;
  const lines = uris.flatMap((line, index) => (line.trim() ? [index] : []));
  return `redirect_uris.${lines[Number(place)] ?? 0}`;
};
