import type { RegisteredClient } from '@candela/contract';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field } from '../../flow/components/field.tsx';
import { retype } from '../../flow/components/retype.ts';
import { Dialog } from '../../flow/dialog/dialog.tsx';
import { ChoiceList } from '../../portal/components/choice-list.tsx';
import { DialogForm } from '../../portal/dialog/dialog-form.tsx';
import { call, serverNow } from '../../shell/api/client.ts';
import { type Problem, useProblemText } from '../../shell/forms/form-errors.ts';
import { useSubmit } from '../../shell/forms/use-submit.ts';
import { madeSecret } from '../made-secret.ts';
import { useClientRefresh } from '../use-client-update.ts';

const DAY_MS = 86_400_000;
const lifetimes = ['30', '90', '365', 'forever'] as const;
type Lifetime = (typeof lifetimes)[number];

/** Asks for the name and the end of a further secret. */
export const AddSecretDialog = ({ client, onClose }: { client: RegisteredClient; onClose: () => void }) => {
  const { t } = useTranslation('developers');
  const problemText = useProblemText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [problem, setProblem] = useState<Problem>();
  const refresh = useClientRefresh(client.client_id);
  useEffect(() => input.current?.focus(), []);
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      const days = lifetime === 'forever' ? undefined : Number(lifetime);
      const expiresAt = days && new Date(serverNow() + days * DAY_MS).toISOString();
      const made = await call('POST /api/clients/:id/secrets', {
        params: { id: client.client_id },
        body: { name: name.trim(), ...(expiresAt && { expiresAt }) },
      });
      onClose();
      madeSecret.set({ clientId: client.client_id, name: made.name, secret: made.secret });
      await refresh();
    },
    (error) => {
      setProblem(error);
      retype(input);
    },
  );
  const isOfName = problem?.code === 'secret_name_taken' || problem?.code === 'secret_name_invalid';
  const error = isOfName ? problemText(problem) : undefined;
  return (
    <Dialog title={t('client.secrets.add')} form onClose={onClose}>
      <DialogForm
        action={t('client.secrets.add')}
        busy={busy}
        problem={isOfName ? undefined : problem}
        onSubmit={() => void run()}
        onCancel={onClose}
      >
        <Field id={id} label={t('client.secrets.name')} hint={t('client.secrets.nameHint')} error={error}>
          <input
            ref={input}
            id={id}
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
            {...describedBy(id, true, error)}
          />
        </Field>
        <ChoiceList
          name={`${id}-lifetime`}
          legend={t('client.secrets.expiry')}
          choices={lifetimes.map((value) => ({
            value,
            label:
              value === 'forever'
                ? t('client.secrets.forever')
                : t('client.secrets.days', { count: Number(value) }),
          }))}
          value={lifetime}
          onChange={setLifetime}
        />
      </DialogForm>
    </Dialog>
  );
};
