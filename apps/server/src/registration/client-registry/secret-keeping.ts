import * as z from 'zod/mini';
import { insertClientChange } from '../../clients/client/client-change.repository.ts';
import { deleteSecrets, insertSecret, listSecretsOf } from '../../clients/client/client-secret.repository.ts';
import { hasSecret } from '../../clients/client/registration.ts';
import { createSecret } from '../../clients/client/secret-rules.ts';
import { AppError } from '../../ground/errors.ts';
import { accountOf, isOperator, requireInUse } from './access.ts';
import type { ClientRegistry } from './client-registry.ts';
import type { RegistryDesk } from './registry-desk.ts';

const MAX_SECRETS = 5;
const MAX_SECRET_MS = 5 * 366 * 86_400_000;

/** The name of a secret: a label that stands in a path. */
const SECRET_NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,39}$/;

/** @throws AppError expiry_invalid */
const readExpiry = (text: string | undefined, now: Date): Date | undefined => {
  if (text === undefined) return undefined;
  const { success } = z.safeParse(z.iso.datetime({ offset: true }), text);
  const at = success ? Date.parse(text) : Number.NaN;
  if (at > now.getTime() && at <= now.getTime() + MAX_SECRET_MS) return new Date(at);
  throw new AppError('expiry_invalid', { fields: { expiresAt: 'expiry_invalid' } });
};

const noteOf = (name: string) => [{ field: 'client_secret', note: name }];

/** Gives clients secrets and takes them away. */
export const createSecretKeeping = ({
  hashes,
  now,
  events,
  change,
  emitOpened,
}: RegistryDesk): Pick<ClientRegistry, 'addSecret' | 'removeSecret'> => ({
  addSecret: async (actor, id, { name, expiresAt }) => {
    if (!SECRET_NAME.test(name))
      throw new AppError('secret_name_invalid', { fields: { name: 'secret_name_invalid' } });
    const end = readExpiry(expiresAt, now());
    const secret = createSecret();
    const opened = await change(actor, id, async (trx, row) => {
      requireInUse(actor, row);
      if (!hasSecret(row.metadata)) throw new AppError('auth_method_invalid');
      const held = await listSecretsOf(trx, [id]);
      if (held.some((other) => other.name === name))
        throw new AppError('secret_name_taken', { fields: { name: 'secret_name_taken' } });
      if (held.length >= MAX_SECRETS) throw new AppError('secrets_exhausted');
      await insertSecret(trx, { clientId: id, name, hash: hashes.hashOf(secret), expiresAt: end });
      await insertClientChange(trx, { clientId: id, actor, action: 'secret_added', changes: noteOf(name) });
      return row;
    });
    events?.emit('client.secret_added', { clientId: id, ...accountOf(actor) });
    emitOpened(actor, opened, 'secret_added');
    return { name, secret, ...(end && { expiresAt: end.toISOString() }) };
  },

  removeSecret: async (actor, id, name) => {
    await change(actor, id, async (trx) => {
      const held = await listSecretsOf(trx, [id]);
      if (!held.some((secret) => secret.name === name)) throw new AppError('not_found');
      const left = held.filter(
        (secret) => secret.name !== name && (secret.expires_at === null || secret.expires_at > now()),
      );
      if (left.length === 0 && !isOperator(actor)) throw new AppError('last_secret');
      await deleteSecrets(trx, id, name);
      await insertClientChange(trx, { clientId: id, actor, action: 'secret_removed', changes: noteOf(name) });
    });
    events?.emit('client.secret_removed', { clientId: id, ...accountOf(actor) });
  },
});
