import type { DeskAccount } from '@candela/contract';
import { deskActs } from '@candela/contract/rules/desk-acts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../../flow/components/checkbox.tsx';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { isGivenUp } from '../../../portal/account/step-up.ts';
import { ChoiceList } from '../../../portal/components/choice-list.tsx';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import { type FormErrors, toFormErrors } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { ReasonField } from '../../components/reason-field.tsx';
import { useMay } from '../../staff.ts';
import styles from './act-dialog.module.css';
import type { DoneAct, WantedAct } from './acts.ts';
import { type ActDraft, carryOut, takesContact } from './carry-out.ts';

/** Acts after which there is less than before. */
const dangerous: readonly WantedAct['act'][] = [
  'disable',
  'begin-leaving',
  'remove-factor',
  'end-sessions',
  'withdraw-authorization',
];

/** What the act does to the person, said before it is done. */
const Effects = ({ wanted, draft }: { wanted: WantedAct; draft: ActDraft }) => {
  const { t } = useTranslation('desk');
  return (
    <div className={styles.effects}>
      <p>{t('desk.acts.whatItDoes')}</p>
      <ul>
        {deskActs[wanted.act].does.map((effect) => {
          const told = draft.atOnce && effect === 'factor_off_after_wait' ? 'factor_off_now' : effect;
          return <li key={told}>{t(`desk.acts.effects.${told}`)}</li>;
        })}
      </ul>
    </div>
  );
};

interface ActDialogProps {
  account: DeskAccount;
  wanted: WantedAct;
  /** The reason of the act before on the same account, which is often the same. */
  reason: string;
  onDone: (done: DoneAct, reason: string) => Promise<void>;
  /** The account has changed meanwhile. */
  onStale: () => void;
  onClose: () => void;
}

/** Asks for the reason of an act, and says what it does to the person. */
export const ActDialog = ({ account, wanted, reason, onDone, onStale, onClose }: ActDialogProps) => {
  const { t } = useTranslation('desk');
  const may = useMay();
  const { act, authorization } = wanted;
  const isNote = act === 'note';
  const contacts = account.contacts.map(({ kind }) => kind);
  const [draft, setDraft] = useState<ActDraft>({
    reason: isNote ? '' : reason,
    contact: wanted.contact ?? contacts[0] ?? 'email',
    atOnce: false,
  });
  const [errors, setErrors] = useState<FormErrors<'reason'>>({});
  const field = useRef<HTMLInputElement>(null);
  const { busy, run } = useSubmit(
    async () => {
      setErrors({});
      const result = await carryOut(account.id, wanted, draft);
      await onDone({ act, result }, isNote ? reason : draft.reason);
    },
    (error) => {
      if (isGivenUp(error)) return;
      const refused = toFormErrors(error, ['reason'] as const);
      const isReason = error.code === 'reason_blank' || error.code === 'reason_too_long';
      setErrors(isReason ? { reason: { code: error.code } } : refused);
      if (isReason || refused.reason) field.current?.focus();
      if (error.code === 'nothing_to_do') onStale();
    },
  );
  const submit = () => {
    if (draft.reason.trim()) return void run();
    setErrors({ reason: { code: 'reason_blank' } });
    field.current?.focus();
  };
  const name = t(`desk.acts.names.${act}`);
  return (
    <Dialog
      title={authorization ? t('desk.acts.withdrawTitle', { app: authorization.app }) : name}
      form
      onClose={onClose}
    >
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <ErrorSummary errors={errors.form ? { form: errors.form } : {}} fields={[]} />
        <Effects wanted={wanted} draft={draft} />
        {takesContact(act) && contacts.length > 1 && (
          <ChoiceList
            name="act-contact"
            legend={t('desk.acts.contact')}
            choices={account.contacts.map(({ kind, masked }) => ({ value: kind, label: masked }))}
            value={draft.contact}
            onChange={(contact) => setDraft({ ...draft, contact })}
          />
        )}
        {act === 'remove-factor' && may('operator') && (
          <Checkbox checked={draft.atOnce} onChange={() => setDraft({ ...draft, atOnce: !draft.atOnce })}>
            {t('desk.acts.atOnce')}
          </Checkbox>
        )}
        <ReasonField
          inputRef={field}
          note={isNote}
          value={draft.reason}
          problem={errors.reason}
          onChange={(text) => setDraft({ ...draft, reason: text })}
        />
        <Actions>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button look={dangerous.includes(act) ? 'danger' : 'primary'} type="submit" busy={busy}>
            {name}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
};
