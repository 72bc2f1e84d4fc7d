import { type PlatformPreset, platformPresets } from '@candela/contract/rules/client-presets';
import { platforms } from '../../clients/client/platform-presets.ts';
import type { PlatformRedirects } from '../../clients/client/preset.ts';

const urisOf = ({ redirect_uris: uris }: Readonly<Record<string, unknown>>): string[] =>
  Array.isArray(uris) ? uris.map(String) : [];

/** All redirect URIs of the platform, by the id in one of them; none where no id is in them. */
const allOf = ({ id, of }: PlatformRedirects, registered: readonly string[]): string[] => {
  if (!id) return of('');
  const ids = registered.flatMap((uri) => uri.split('/').filter((part) => id.form.test(part)));
  const known = ids.find((part) => of(part).some((uri) => registered.includes(uri)));
  return known === undefined ? [] : of(known);
};

/**
 * The platform of a client: its preset. A client of no platform's preset, as a registration of before may be, is of the
 * platform that one of its redirect URIs is of.
 */
export const findPlatform = (metadata: Readonly<Record<string, unknown>>): PlatformPreset | undefined => {
  const named = platformPresets.find((name) => name === metadata.preset);
  const uris = urisOf(metadata);
  // Any https address is one of aws-iot.
  const shown = platformPresets.filter((name) => name !== 'aws-iot');
  return (
    named ??
    (uris.length > 0
      ? shown.find((name) => uris.some((uri) => platforms[name].redirects?.form.test(uri)))
      : undefined)
  );
};

/** The redirect URIs that a platform uses: those that are registered, and those that are not. */
export const findAddresses = (
  platform: PlatformPreset,
  metadata: Readonly<Record<string, unknown>>,
  uses: 'each' | 'one',
): { registered: string[]; missing: string[] } => {
  const { redirects } = platforms[platform];
  const registered = urisOf(metadata).filter((uri) => redirects?.form.test(uri));
  const missing = redirects ? allOf(redirects, registered).filter((uri) => !registered.includes(uri)) : [];
  const isEnough = uses === 'one' && registered.length > 0;
  return { registered, missing: isEnough ? [] : missing };
};
