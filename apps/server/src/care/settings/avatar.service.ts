import type { Kysely } from 'kysely';
import type { Picture } from '../../branding/picture/picture.ts';
import type { PictureEncoder } from '../../branding/picture/picture-encoder.ts';
import { avatarPath, createPictureName } from '../../branding/picture/picture-path.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { tell } from '../../person/signal/tell.ts';
import { claimsChange, type Told } from '../../person/signal/told.ts';
import { type AvatarOwner, deleteAvatar, findAvatar, upsertAvatar } from './avatar.repository.ts';

export interface AvatarService {
  /**
   * Makes the bytes the account's picture, in place of the one before.
   * @throws AppError rate_limited, unsupported_media_type, image_unreadable, busy, not_signed_in also where
   *   the session ended meanwhile
   */
  setAvatar(owner: AvatarOwner, bytes: Uint8Array): Promise<void>;
  /** Removes the picture, if there is one. */
  removeAvatar(accountId: string): Promise<void>;
  findAvatar(name: string): Promise<Picture | undefined>;
}

export interface AvatarServiceOptions {
  db: Kysely<Database>;
  encoder: Pick<PictureEncoder, 'toAvatar'>;
  /** The clients of each get the picture from its origin. */
  brands: readonly { id: string; origin: string }[];
  events: EventSink;
  now: () => Date;
}

const UPLOADS_PER_HOUR = 100;

/** What was wrong with the picture, for the log; the person sees the code alone. */
const detailOf = ({ cause }: AppError) => (cause instanceof Error ? cause.message : undefined);

/** The claim `picture`, which is another at each brand. */
const pictureChange = (brands: AvatarServiceOptions['brands'], name: string): Told => ({
  ...claimsChange({}),
  openedAt: Object.fromEntries(
    brands.map(({ id, origin }) => [id, { claims: { picture: `${origin}${avatarPath(name)}` } }]),
  ),
});

export const createAvatarService = (options: AvatarServiceOptions): AvatarService => {
  const { db, encoder, brands, events, now } = options;

  const setAvatar = async (owner: AvatarOwner, bytes: Uint8Array): Promise<void> => {
    // A refused picture counts as well: decoding it took its time.
    const limit = { key: `avatar ${owner.accountId}`, limit: UPLOADS_PER_HOUR, windowSeconds: 3600 };
    await requireRateLimits(db, [limit], now());
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const encoded = await encoder.toAvatar(source, owner.accountId);
    const { accountId } = owner;
    const name = createPictureName();
    await inTransaction(db, async (trx) => {
      const stored = await upsertAvatar(trx, owner, {
        account_id: accountId,
        name,
        bytes: encoded,
        content_type: 'image/jpeg',
        created_at: now(),
      });
      if (!stored) throw new AppError('not_signed_in');
      await tell(trx, accountId, [pictureChange(brands, name)]);
    });
  };

  return {
    setAvatar: (owner, bytes) =>
      setAvatar(owner, bytes).catch((error: unknown) => {
        if (error instanceof AppError) {
          const { accountId, brand } = owner;
          events.emit('picture.refused', { accountId, brand, reason: error.code, detail: detailOf(error) });
        }
        throw error;
      }),

    removeAvatar: (accountId) =>
      inTransaction(db, async (trx) => {
        if (await deleteAvatar(trx, accountId, now()))
          await tell(trx, accountId, [claimsChange({ picture: null })]);
      }),

    findAvatar: async (name) => {
      const row = await findAvatar(db, name);
      return row && { type: row.content_type, bytes: row.bytes };
    },
  };
};
