import type { Account, Passkey } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field } from '../../../../flow/components/field.tsx';
import { retype } from '../../../../flow/components/retype.ts';
import { Dialog } from '../../../../flow/dialog/dialog.tsx';
import { call } from '../../../../shell/api/client.ts';
import { Actions } from '../../../../shell/components/actions.tsx';
import { Button } from '../../../../shell/components/button.tsx';
import { ErrorSummary } from '../../../../shell/components/error-summary.tsx';
import prose from '../../../../shell/components/prose.module.css';
import { type Problem, useProblemText } from '../../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../../shell/forms/use-submit.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { DialogForm } from '../../../dialog/dialog-form.tsx';
import { focusRow } from '../focus-row.ts';
import { useFreshPasskeys } from './use-passkeys.ts';

interface PasskeyDialogProps {
  account: Account;
  passkey: Passkey;
  onClose: () => void;
}

export const RenamePasskeyDialog = ({ account, passkey, onClose }: PasskeyDialogProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const refresh = useFreshPasskeys(account);
  const [name, setName] = useState(passkey.name);
  const [problem, setProblem] = useState<Problem>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const isOfField = problem?.code === 'passkey_name_invalid';
  const error = isOfField && problem ? problemText(problem) : undefined;
  const { busy, run } = useSubmit(
    async () => {
      setProblem(undefined);
      await call('PATCH /api/passkeys/:id', { params: { id: passkey.id }, body: { name } });
      await refresh();
      onClose();
    },
    (refusal) => {
      setProblem(refusal);
      retype(input);
    },
  );
  return (
    <Dialog title={t('ways.renameTitle')} form onClose={onClose}>
      <DialogForm
        action={t('settings.save')}
        busy={busy}
        problem={isOfField ? undefined : problem}
        onSubmit={run}
        onCancel={onClose}
      >
        <Field id="passkey-name" label={t('ways.passkeyName')} error={error}>
          <input
            ref={input}
            id="passkey-name"
            type="text"
            maxLength={60}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            {...describedBy('passkey-name', undefined, error)}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
};

export const RemovePasskeyDialog = ({ account, passkey, onClose }: PasskeyDialogProps) => {
  const { t } = useTranslation('security');
  const refresh = useFreshPasskeys(account);
  const [problem, setProblem] = useState<Problem>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    await call('DELETE /api/passkeys/:id', { params: { id: passkey.id } });
    await refresh();
    notify(t('ways.passkeyRemoved'));
    onClose();
    focusRow('passkeys');
  }, setProblem);
  return (
    <Dialog title={t('ways.removeTitle', { name: passkey.name })} alert onClose={onClose}>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <p className={prose.lead}>{t(passkey.synced ? 'ways.removeSynced' : 'ways.removeText')}</p>
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="danger" busy={busy} onClick={() => run()}>
          {t('settings.remove')}
        </Button>
      </Actions>
    </Dialog>
  );
};
