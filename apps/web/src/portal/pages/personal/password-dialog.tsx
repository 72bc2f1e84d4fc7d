import type { Account } from '@candela/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../../flow/components/hidden-username.tsx';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { RepeatedPasswordFields } from '../../../flow/new-password/repeated-password-fields.tsx';
import { useRepeatedPassword } from '../../../flow/new-password/use-repeated-password.ts';
import { call } from '../../../shell/api/client.ts';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { accountQuery, authorizationsQuery, sessionsQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { notify } from '../../components/toast.tsx';
import { DialogForm } from '../../dialog/dialog-form.tsx';
import { ConnectedApps } from './connected-apps.tsx';

const fields = ['new-password', 'repeated'] as const;

/** The dialog that sets a first or a new password, and says which sessions and approvals that ends. */
export const PasswordDialog = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const links = useInfiniteQuery(authorizationsQuery);
  const entry = useRepeatedPassword('new-password');
  const [withdraw, setWithdraw] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const { busy, run } = useSensitiveSubmit(async () => {
    if (!entry.accept()) return;
    await call('PUT /api/account/password', {
      body: { password: entry.password, ...(withdraw && { withdrawAuthorizations: true }) },
    });
    const changed = [accountQuery, sessionsQuery, authorizationsQuery];
    await Promise.all(changed.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    notify(t('app.done'));
    onClose();
  }, entry.refuse);

  const apps = links.data?.pages.flatMap(({ items }) => items.map(({ client }) => client.name));
  const title = account.hasPassword ? t('settings.password.changeTitle') : t('settings.password.setTitle');
  return (
    <Dialog title={title} form onClose={onClose}>
      <p className={prose.lead}>{t('settings.password.ends')}</p>
      <DialogForm
        action={t('settings.password.submit')}
        busy={busy}
        summary={<ErrorSummary errors={entry.errors} fields={fields} focusKey={entry.refusals} />}
        onSubmit={run}
        onCancel={onClose}
      >
        <HiddenUsername value={account.email ?? account.phone ?? ''} />
        <RepeatedPasswordFields
          label={t('settings.password.label')}
          entry={entry}
          inputRef={input}
          busy={busy}
        />
        {(apps?.length || links.isError) && (
          <ConnectedApps names={apps} withdraw={withdraw} onToggle={() => setWithdraw(!withdraw)} />
        )}
      </DialogForm>
    </Dialog>
  );
};
