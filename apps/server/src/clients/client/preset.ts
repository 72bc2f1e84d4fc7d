import type { ClientEntry } from './client-entry.ts';

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** The redirect URIs of a platform: the same for everybody, by an id at the platform, or as the platform shows them. */
export interface PlatformRedirects {
  /** The field with the id, and the form of the id; undefined: there is no id from which the redirect URIs follow. */
  id?: { field: PlatformIdField; form: RegExp; example: string };
  /** The redirect URIs for an id; none where the platform makes and shows them. */
  of(id: string): string[];
  /** The form of every redirect URI of the platform. */
  form: RegExp;
  /** A redirect URI of the platform. */
  example: string;
}

export const platformIdFields = ['vendor_id', 'project_id', 'service_id'] as const;
type PlatformIdField = (typeof platformIdFields)[number];

type Field = Exclude<keyof ClientEntry, number> & string;

export interface Preset {
  /** Values for the fields that an entry leaves out. */
  defaults: Partial<ClientEntry>;
  /** The values that a field may have; undefined: the field may be left out. */
  only: Partial<Record<Field, readonly (string | boolean | undefined)[]>>;
  grantTypes: { needed: readonly string[]; possible: readonly string[] };
  redirects?: PlatformRedirects;
}

export const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
