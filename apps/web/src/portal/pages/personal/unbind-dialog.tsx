import type { Account } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { wholeIdentifier } from '../../../flow/identifier/dial-code.ts';
import { call } from '../../../shell/api/client.ts';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import prose from '../../../shell/components/prose.module.css';
import type { Problem } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { accountQuery } from '../../account/queries.ts';
import { isGivenUp, withContactProof } from '../../account/step-up.ts';
import { notify } from '../../components/toast.tsx';
import type { ContactKind } from '../../contact/use-contact.ts';
import { ConfirmDialog } from '../../dialog/confirm-dialog.tsx';

const unbind = (kind: ContactKind, wait: boolean): Promise<undefined> => {
  const query = wait ? ({ wait: 'true' } as const) : {};
  return call(kind === 'phone' ? 'DELETE /api/account/phone' : 'DELETE /api/account/email', { query });
};

interface UnbindDialogProps {
  account: Account;
  kind: ContactKind;
  onUnbound: () => void;
  /** Binds the other kind of identifier, so that this identifier is not the last. */
  onBindOther: () => void;
  onClose: () => void;
}

/** Unbinds a phone or an e-mail. For the only identifier, explains why it stays and offers to bind another. */
export const UnbindDialog = ({ account, kind, onUnbound, onBindOther, onClose }: UnbindDialogProps) => {
  const { t } = useTranslation('account');
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem>();
  const bound = account[kind] ?? '';
  const identifier = wholeIdentifier(bound);
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await withContactProof(bound, (wait) => unbind(kind, wait));
      const { [kind]: left } = await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      notify(t(left ? 'settings.wait.begun' : 'app.done'));
      if (left) onClose();
      else onUnbound();
    },
    (error) => {
      if (isGivenUp(error)) return;
      setProblem(error);
      // The other identifier was removed elsewhere.
      if (error.code === 'last_identifier')
        void client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  );

  const isOnly = !account[kind === 'phone' ? 'email' : 'phone'] || problem?.code === 'last_identifier';
  if (isOnly) {
    return (
      <Dialog title={t(`settings.${kind}.onlyTitle`)} onClose={onClose}>
        <p className={prose.lead}>{t(`settings.${kind}.onlyText`, { identifier })}</p>
        <Actions>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look="primary" onClick={onBindOther}>
            {t(`settings.${kind}.bindOther`)}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={t(`settings.${kind}.unbindTitle`)}
      text={t(`settings.${kind}.unbindText`, { identifier })}
      action={t('settings.unbind')}
      busy={busy}
      problem={problem}
      onConfirm={run}
      onCancel={onClose}
    />
  );
};
