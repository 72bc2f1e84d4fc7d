import { type DeviceProblem, deviceProblems } from '@candela/contract/rules/device-problem';
import { isWholeUserCode, readUserCode } from '@candela/contract/rules/user-code';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boot } from '../../../shell/boot.ts';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { PageHeading } from '../../../shell/components/page-heading.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { formatDistance } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { describedBy, Field, OnlyField } from '../../components/field.tsx';
import { caretIn } from './caret.ts';
import styles from './code-form.module.css';

type Problem = DeviceProblem | 'incomplete';

const longestWaitSeconds = 24 * 3600;

const useProblemText = (waitSeconds: number): ((problem: Problem) => string) => {
  const { t } = useTranslation('account');
  const locale = useLocale();
  return (problem) => {
    if (problem !== 'limited') return t(`devicePage.problems.${problem}`);
    const isKnown = waitSeconds > 0 && waitSeconds <= longestWaitSeconds;
    return isKnown
      ? t('devicePage.problems.limited', { when: formatDistance(waitSeconds, locale) })
      : t('devicePage.problems.limitedLater');
  };
};

/** The state of the field for the code. It starts with the code in the address. */
const useUserCode = (search: URLSearchParams) => {
  const given = readUserCode(search.get('user_code') ?? '');
  const [userCode, setUserCode] = useState(given);
  const [problem, setProblem] = useState<Problem | undefined>(() =>
    deviceProblems.find((name) => name === search.get('problem')),
  );
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | undefined>(undefined);

  // The person compares a code from the address and types any other code, which needs the focus.
  const begins = useRef(!isWholeUserCode(given) || problem !== undefined);
  useFirstFocus(() => (begins.current ? input.current : null));

  useLayoutEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });

  const type = ({ value, selectionStart }: HTMLInputElement) => {
    caret.current = caretIn(value, selectionStart ?? value.length);
    setUserCode(readUserCode(value));
    setProblem(undefined);
  };
  /** Lets the browser send the form once the code is whole. */
  const submit = (event: FormEvent) => {
    const found = userCode === '' ? 'blank' : isWholeUserCode(userCode) ? undefined : 'incomplete';
    if (busy || found) event.preventDefault();
    if (busy) return;
    setProblem(found);
    if (found) input.current?.focus();
    else setBusy(true);
  };
  const isGiven = isWholeUserCode(given) && userCode === given && !problem;
  return { userCode, isGiven, problem, busy, input, type, submit };
};

/** The form for a device's code. The browser submits the form, and the server's answer is the next page. */
export const CodeForm = ({ search }: { search: URLSearchParams }) => {
  const { t } = useTranslation('account');
  const code = useUserCode(search);
  const { userCode, isGiven, problem, busy, input } = code;
  const problemText = useProblemText(Number(search.get('retry_after')));
  useLamp(isWholeUserCode(userCode) ? 0.5 : 0.3);
  const error = problem && problemText(problem);
  const hint = t('devicePage.hint');
  return (
    <div className={column.column}>
      <PageHeading title={t('devicePage.title')} invalid={Boolean(problem)} />
      <p className={prose.lead}>{isGiven ? t('devicePage.check') : t('devicePage.lead')}</p>
      <form className={column.form} method="post" action="/oauth/device" noValidate onSubmit={code.submit}>
        <input type="hidden" name="xsrf" value={boot.deviceForm?.xsrf ?? ''} />
        <input type="hidden" name="confirm" value="yes" />
        <OnlyField value={true}>
          <Field id="user-code" label={t('devicePage.label')} hint={hint} error={error}>
            <input
              ref={input}
              id="user-code"
              className={styles.code}
              name="user_code"
              type="text"
              autoComplete="off"
              autoCapitalize="characters"
              autoCorrect="off"
              spellCheck={false}
              required
              value={userCode}
              onChange={({ target }) => code.type(target)}
              {...describedBy('user-code', hint, error)}
            />
          </Field>
        </OnlyField>
        <Button look="primary" type="submit" className={column.submit} busy={busy}>
          {t('devicePage.submit')}
        </Button>
      </form>
    </div>
  );
};
