import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describedBy, Field } from '../../../flow/components/field.tsx';
import { retype } from '../../../flow/components/retype.ts';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { DialogForm } from '../../../portal/dialog/dialog-form.tsx';
import { call } from '../../../shell/api/client.ts';
import { Button } from '../../../shell/components/button.tsx';
import prose from '../../../shell/components/prose.module.css';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { ReasonField } from '../../components/reason-field.tsx';
import { act, deskAccountQuery } from '../../queries.ts';

type By = { identifier: string } | { reason: string };

/** Shows contacts of an account in this browser. */
const useReveal = (account: string, onRefused: (problem: Problem) => void, onClose: () => void) => {
  const client = useQueryClient();
  return useSubmit(async (body: By) => {
    const { contacts } = await act(() =>
      call('POST /api/desk/accounts/:id/contacts', { params: { id: account }, body }),
    );
    client.setQueryData(deskAccountQuery(account).queryKey, (shown) => shown && { ...shown, contacts });
    onClose();
  }, onRefused);
};

interface RevealProps {
  account: string;
  onClose: () => void;
}

const ByWhatIsTold = ({ account, onClose, onOther }: RevealProps & { onOther: () => void }) => {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  const input = useRef<HTMLInputElement>(null);
  const [identifier, setIdentifier] = useState('');
  const [problem, setProblem] = useState<Problem>();
  useFirstFocus(() => input.current);
  const refuse = (refused: Problem) => {
    setProblem(refused);
    retype(input);
  };
  const { busy, run } = useReveal(account, refuse, onClose);
  const error = problem && problemText(problem);
  return (
    <DialogForm
      action={t('desk.account.reveal.submit')}
      busy={busy}
      onSubmit={() => (identifier.trim() ? void run({ identifier }) : refuse({ code: 'identifier_blank' }))}
      onCancel={onClose}
    >
      <Field
        id="told"
        label={t('desk.account.reveal.told')}
        hint={t('desk.account.reveal.toldHint')}
        error={error}
      >
        <input
          ref={input}
          id="told"
          type="text"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={identifier}
          onChange={({ target }) => setIdentifier(target.value)}
          {...describedBy('told', true, error)}
        />
      </Field>
      <div>
        <Button look="text" onClick={onOther}>
          {t('desk.account.reveal.byReason')}
        </Button>
      </div>
    </DialogForm>
  );
};

const ByReason = ({ account, onClose }: RevealProps) => {
  const { t } = useTranslation('desk');
  const input = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const refuse = (refused: Problem) => {
    setProblem(refused);
    input.current?.focus();
  };
  const { busy, run } = useReveal(account, refuse, onClose);
  return (
    <DialogForm
      action={t('desk.account.reveal.submit')}
      busy={busy}
      onSubmit={() => (reason.trim() ? void run({ reason }) : refuse({ code: 'reason_blank' }))}
      onCancel={onClose}
    >
      <ReasonField inputRef={input} value={reason} problem={problem} onChange={setReason} />
    </DialogForm>
  );
};

/** Shows a contact of the account that the caller tells, or all of them for a reason. */
export const RevealDialog = ({ account, onClose }: RevealProps) => {
  const { t } = useTranslation('desk');
  const [byReason, setByReason] = useState(false);
  return (
    <Dialog title={t('desk.account.reveal.title')} form onClose={onClose}>
      {!byReason && <p className={prose.lead}>{t('desk.account.reveal.text')}</p>}
      {byReason ? (
        <ByReason account={account} onClose={onClose} />
      ) : (
        <ByWhatIsTold account={account} onClose={onClose} onOther={() => setByReason(true)} />
      )}
    </Dialog>
  );
};
