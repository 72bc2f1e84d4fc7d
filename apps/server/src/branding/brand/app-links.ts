import * as z from 'zod/mini';

const some = <S extends z.ZodMiniType>(schema: S) =>
  z.array(schema).check(z.minLength(1, 'must not be empty'), z.maxLength(50, 'must have at most 50 entries'));

const text = (form: RegExp, error: string) => z.string().check(z.maxLength(255, error), z.regex(form, error));

const AndroidApp = z.strictObject({
  package_name: text(
    /^[a-z]\w*(?:\.[a-z]\w*)+$/i,
    'must be the name of an Android package, such as com.example.app',
  ),
  sha256_cert_fingerprints: some(
    text(
      /^(?:[\da-f]{2}:){31}[\da-f]{2}$/i,
      'must be the SHA-256 of a certificate: 32 pairs of hexadecimal digits with colons between them',
    ),
  ),
});

const AppleApp = z.strictObject({
  app_id: text(
    /^[A-Z\d]{10}\.[a-z\d-]+(?:\.[a-z\d-]+)*$/i,
    'must be a team id and a bundle id, such as ABCDE12345.com.example.app',
  ),
  paths: some(
    text(
      /^(?:NOT )?(?:\/|\*)[\x21-\x7e]*$/,
      'must be a path such as /link/*, or NOT and a path which the app does not open',
    ),
  ),
});

/** The brand's own apps, which open links to the brand's host. */
export const AppLinks = z
  .strictObject({ android: z.optional(some(AndroidApp)), apple: z.optional(some(AppleApp)) })
  .check(
    z.refine(
      ({ android, apple }) => android !== undefined || apple !== undefined,
      'must have android or apple',
    ),
  );
export type AppLinks = z.infer<typeof AppLinks>;

const toComponent = (path: string) =>
  path.startsWith('NOT ') ? { '/': path.slice('NOT '.length), exclude: true } : { '/': path };

/** The statements of Digital Asset Links for Android App Links; undefined where the brand has no such app. */
export const toAssetLinks = ({ android }: AppLinks) =>
  android?.map(({ package_name, sha256_cert_fingerprints: fingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name,
      sha256_cert_fingerprints: fingerprints.map((fingerprint) => fingerprint.toUpperCase()),
    },
  }));

/**
 * The associated domains file for Apple's universal links, of iOS 13 and later; undefined where the brand has no such
 * app.
 */
export const toSiteAssociation = ({ apple }: AppLinks) =>
  apple && {
    applinks: {
      details: apple.map(({ app_id, paths }) => ({ appIDs: [app_id], components: paths.map(toComponent) })),
    },
  };
