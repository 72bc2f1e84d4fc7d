import type { Kysely } from 'kysely';
import type { Picture } from '../../branding/picture/picture.ts';
import type { PictureEncoder } from '../../branding/picture/picture-encoder.ts';
import { createPictureName } from '../../branding/picture/picture-path.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
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
  events: EventSink;
  now: () => Date;
}

const UPLOADS_PER_HOUR = 100;

/** What was wrong with the picture, for the log; the person sees the code alone. */
const detailOf = ({ cause }: AppError) => (cause instanceof Error ? cause.message : undefined);

export const createAvatarService = (options: AvatarServiceOptions): AvatarService => {
  const { db, encoder, events, now } = options;

  const setAvatar = async (owner: AvatarOwner, bytes: Uint8Array): Promise<void> => {
    // A refused picture counts as well: decoding it took its time.
    const limit = { key: `avatar:${owner.accountId}`, limit: UPLOADS_PER_HOUR, windowSeconds: 3600 };
    await requireRateLimits(db, [limit], now());
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const encoded = await encoder.toAvatar(source, owner.accountId);
    const stored = await upsertAvatar(db, owner, {
      account_id: owner.accountId,
      name: createPictureName(),
      bytes: encoded,
      content_type: 'image/jpeg',
      created_at: now(),
    });
    if (!stored) throw new AppError('not_signed_in');
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

    removeAvatar: (accountId) => deleteAvatar(db, accountId, now()),

    findAvatar: async (name) => {
      const row = await findAvatar(db, name);
      return row && { type: row.content_type, bytes: row.bytes };
    },
  };
};
