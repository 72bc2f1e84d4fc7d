import { createContext, type ReactNode, useContext } from 'react';
import styles from './field.module.css';

interface FieldProps {
  id: string;
  label: string;
  /** A button beside the label, such as another way to fill the field. */
  labelAction?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** The error of a button in the box, as opposed to the error of the input. */
  refusal?: string | undefined;
  /** The control and the other elements of its box. */
  children: ReactNode;
}

/** Marks the only field of a form, or those of which one is at fault: no summary lists its error, which is read out itself. */
export const OnlyField = createContext(false);

/** An error that appears below the edge of a small window or dialog comes into view. */
const reveal = (error: HTMLElement | null): void => error?.scrollIntoView({ block: 'nearest' });

const hintId = (id: string): string => `${id}-hint`;
const errorId = (id: string): string => `${id}-error`;

/** The ARIA attributes of the control in a `Field`. */
export const describedBy = (id: string, hint: unknown, error: unknown) => ({
  'aria-invalid': error ? (true as const) : undefined,
  'aria-describedby': [error && errorId(id), hint && hintId(id)].filter(Boolean).join(' ') || undefined,
});

/** A label, a control in its box, a hint and an error. */
export const Field = ({ id, label, labelAction, hint, error, refusal, children }: FieldProps) => {
  const isOnly = useContext(OnlyField);
  return (
    <div className={styles.field} data-field="">
      <div className={styles.top}>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        {labelAction}
      </div>
      <div className={styles.box} data-invalid={error ? '' : undefined}>
        {children}
      </div>
      {error && (
        <p
          className={styles.error}
          id={errorId(id)}
          role={isOnly ? 'alert' : undefined}
          ref={isOnly ? reveal : undefined}
        >
          {error}
        </p>
      )}
      {refusal && (
        <p className={styles.error} role="alert">
          {refusal}
        </p>
      )}
      {hint && (
        <p className={styles.hint} id={hintId(id)}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** A quiet button in a field’s box or beside its label. */
export const FieldAction = ({
  onClick,
  disabled = false,
  busy = false,
  children,
  ...rest
}: {
  onClick: () => void;
  disabled?: boolean;
  busy?: boolean;
  children: ReactNode;
  'aria-label'?: string;
  'aria-pressed'?: boolean;
  'aria-controls'?: string;
}) => (
  <button
    {...rest}
    type="button"
    className={styles.action}
    aria-disabled={disabled || busy || undefined}
    aria-busy={busy || undefined}
    onClick={() => {
      if (!disabled && !busy) onClick();
    }}
  >
    {children}
  </button>
);
