import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFree } from '../forms/focus-soon.ts';
import type { FormErrors } from '../forms/form-errors.ts';
import { useProblemText } from '../forms/form-errors.ts';
import { onlyFault } from '../forms/only-fault.ts';
import styles from './error-summary.module.css';

interface ErrorSummaryProps<Field extends string> {
  errors: FormErrors<Field>;
  /** The fields in the order of the form. Each is also the id of its control. */
  fields: readonly Field[];
  /**
   * A new count moves the focus to the summary; to the field, where one alone is at fault. Without it, each new problem
   * of the whole form does.
   */
  focusKey?: number | undefined;
  /** What helps meanwhile. */
  children?: ReactNode;
}

/**
 * The errors of a form, at its top, each with a link to its field. A fault that is alone is told at its field: the
 * fields stand in an `OnlyField`, so that it is read out there.
 */
export const ErrorSummary = <Field extends string>({
  errors,
  fields,
  focusKey,
  children,
}: ErrorSummaryProps<Field>) => {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const box = useRef<HTMLDivElement>(null);
  const listed = fields.filter((field) => errors[field]);
  const only = onlyFault(errors);
  const told = useRef(only);
  told.current = only;
  const refusal = focusKey ?? errors.form;
  // A page that begins with a refusal has the focus where its other states have it.
  const before = useRef(refusal);
  useEffect(() => {
    const isNew = refusal !== before.current;
    before.current = refusal;
    // A dialog that the refusal closes may still cover the form.
    if (refusal && isNew)
      focusFree(() => (told.current ? document.getElementById(told.current) : box.current));
  }, [refusal]);

  if (only || (listed.length === 0 && !errors.form)) return null;
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} ref={box}>
      {errors.form && <p>{problemText(errors.form)}</p>}
      {children}
      {listed.length > 0 && (
        <>
          <h2 className={styles.title}>{t('app.summary')}</h2>
          <ul>
            {listed.map((field) => {
              const problem = errors[field];
              return (
                <li key={field}>
                  <a
                    className={styles.link}
                    href={`#${field}`}
                    onClick={(event) => {
                      event.preventDefault();
                      document.getElementById(field)?.focus();
                    }}
                  >
                    {problem && problemText(problem)}
                  </a>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
};
