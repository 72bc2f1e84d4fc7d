import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldAction } from '../flow/components/field.tsx';
import { Button } from '../shell/components/button.tsx';
import { focusSoon } from '../shell/forms/focus-soon.ts';
import styles from './address-list.module.css';
import { idOf } from './registration-form.tsx';
import { TextField } from './text-field.tsx';
import type { Problems } from './use-registration.ts';

interface AddressListProps {
  legend: string;
  /** The field of the metadata; its lines are `redirect_uris.0` and so on. */
  field: 'redirect_uris' | 'post_logout_redirect_uris';
  prefix: string;
  hint?: string | undefined;
  /** So many lines stay. */
  least?: number;
  lines: readonly string[];
  problems: Problems;
  onChange: (lines: readonly string[]) => void;
  /** The person leaves a line. */
  onLeave: (index: number) => void;
}

/** Addresses, each on a line. The list adds, changes and removes lines. */
export const AddressList = (props: AddressListProps) => {
  const { legend, field, prefix, hint, least = 0, lines, problems, onChange, onLeave } = props;
  const { t } = useTranslation('developers');
  const box = useRef<HTMLFieldSetElement>(null);
  const focus = (find: string) => focusSoon(() => box.current?.querySelector<HTMLElement>(find));
  const lineId = (index: number) => idOf(prefix, `${field}.${index}`);
  return (
    <fieldset className={styles.list} ref={box}>
      <legend className={styles.legend}>{legend}</legend>
      {lines.length === 0 && <p className={styles.none}>{t('client.addresses.empty')}</p>}
      {lines.map((line, index) => (
        <TextField
          key={index}
          id={lineId(index)}
          type="url"
          label={t('client.addresses.line', { number: index + 1 })}
          hint={index === lines.length - 1 ? hint : undefined}
          problem={problems[`${field}.${index}`]}
          value={line}
          maxLength={2000}
          placeholder="https://"
          onChange={(value) => onChange(lines.with(index, value))}
          onLeave={() => onLeave(index)}
          action={
            lines.length > least && (
              <FieldAction
                aria-label={t('client.addresses.removeLine', { number: index + 1 })}
                onClick={() => {
                  onChange(lines.toSpliced(index, 1));
                  focus(lines.length > 1 ? `#${CSS.escape(lineId(Math.max(0, index - 1)))}` : 'button');
                }}
              >
                {t('settings.remove')}
              </FieldAction>
            )
          }
        />
      ))}
      <Button
        className={styles.add}
        look="text"
        onClick={() => {
          onChange([...lines, '']);
          focus(`#${CSS.escape(lineId(lines.length))}`);
        }}
      >
        {t('client.addresses.add')}
      </Button>
    </fieldset>
  );
};
