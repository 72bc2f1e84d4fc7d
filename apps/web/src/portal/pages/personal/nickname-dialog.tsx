import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../../../flow/components/after-press.ts';
import { describedBy, Field } from '../../../flow/components/field.tsx';
import { retype } from '../../../flow/components/retype.ts';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { DialogForm } from '../../dialog/dialog-form.tsx';

interface NicknameDialogProps {
  nickname: string;
  /** The reason of the last refusal. */
  problem: Problem | undefined;
  onSave: (nickname: string) => void;
  onClose: () => void;
}

const id = 'nickname';
const longest = 40;

/** Whether a nickname is too long, by the same count as the server's. */
const isTooLong = (text: string): boolean =>
  [...new Intl.Segmenter().segment(text.normalize('NFC'))].length > longest;

/** The dialog for a nickname. The page shows it before the server answers, and a refusal opens the dialog again. */
export const NicknameDialog = ({ nickname, problem, onSave, onClose }: NicknameDialogProps) => {
  const { t } = useTranslation('account');
  const problemText = useProblemText();
  const [text, setText] = useState(nickname);
  const [refusal, setRefusal] = useState<Problem | 'blank' | undefined>(problem);
  /** The refused nickname. The error stays while the field holds it. */
  const wrong = useRef(nickname);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => retype(input), []);

  const error = () => {
    if (refusal === 'blank') return t('settings.nickname.blank');
    if (refusal?.code === 'nickname_invalid') return t('settings.nickname.invalid');
    return refusal && problemText(refusal);
  };
  return (
    <Dialog title={t('settings.nickname.title')} form onClose={onClose}>
      <DialogForm
        action={t('settings.save')}
        busy={false}
        onSubmit={() => {
          const typed = text.trim();
          if (typed && !isTooLong(typed)) return onSave(typed);
          setRefusal(typed ? { code: 'nickname_invalid' } : 'blank');
          wrong.current = text;
          input.current?.focus();
        }}
        onCancel={onClose}
      >
        <Field id={id} label={t('personal.nickname')} hint={t('settings.nickname.hint')} error={error()}>
          <input
            ref={input}
            id={id}
            name="nickname"
            type="text"
            autoComplete="nickname"
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={() =>
              afterPress(() => {
                if (text.trim() && text !== wrong.current) setRefusal(undefined);
              })
            }
            {...describedBy(id, true, error())}
          />
        </Field>
      </DialogForm>
    </Dialog>
  );
};
