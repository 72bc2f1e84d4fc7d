import type { SecondFactorWay } from '@candela/contract';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeField } from '../code-entry/code-field.tsx';
import { Button } from '../components/button.tsx';
import column from '../components/column.module.css';
import { describedBy, Field, OnlyField } from '../components/field.tsx';
import prose from '../components/prose.module.css';
import { useProblemText } from '../forms/form-errors.ts';
import { canUsePasskeys } from '../passkey/passkey-support.ts';
import type { SecondFactorEntry } from './use-second-factor.ts';

interface SecondFactorFieldsProps {
  /** Those that the account has. */
  ways: readonly SecondFactorWay[];
  entry: SecondFactorEntry;
  /** Is called with a whole code of the app. */
  onComplete: (code: string) => void;
  /** What helps who has none of the ways. */
  lost: ReactNode;
}

const RecoveryCodeField = ({ entry }: { entry: SecondFactorEntry }) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const error = entry.problem && problemText(entry.problem);
  const hint = t('secondFactor.recoveryCodeHint');
  return (
    <Field id="second-factor" label={t('secondFactor.recoveryCode')} hint={hint} error={error}>
      <input
        ref={entry.input}
        id="second-factor"
        type="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        required
        value={entry.text}
        onChange={(event) => entry.setText(event.target.value)}
        {...describedBy('second-factor', hint, error)}
      />
    </Field>
  );
};

const TotpField = ({ entry, onComplete }: Pick<SecondFactorFieldsProps, 'entry' | 'onComplete'>) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  return (
    <CodeField
      id="second-factor"
      round={entry.refusals}
      value={entry.text}
      hint={t('secondFactor.totpHint')}
      error={entry.problem && problemText(entry.problem)}
      inputRef={entry.input as RefObject<HTMLInputElement | null>}
      action={null}
      onChange={entry.setText}
      onComplete={onComplete}
    />
  );
};

const useOf = {
  totp: 'secondFactor.useTotp',
  recovery_code: 'secondFactor.useRecoveryCode',
  passkey: 'secondFactor.usePasskey',
} as const satisfies Record<SecondFactorWay, string>;

/** One way to pass a second factor, the others that the account has, and what helps who has none. */
export const SecondFactorFields = ({ ways, entry, onComplete, lost }: SecondFactorFieldsProps) => {
  const { t } = useTranslation('security');
  const [isLost, setLost] = useState(false);
  const others = ways.filter((way) => way !== entry.way && (way !== 'passkey' || canUsePasskeys()));
  return (
    <OnlyField value={true}>
      {entry.way === 'totp' && <TotpField entry={entry} onComplete={onComplete} />}
      {entry.way === 'recovery_code' && <RecoveryCodeField entry={entry} />}
      {entry.way === 'passkey' && <p className={prose.lead}>{t('secondFactor.passkeyText')}</p>}
      <div className={column.tail}>
        {others.map((way) => (
          <Button key={way} look="text" onClick={() => entry.choose(way)}>
            {t(useOf[way])}
          </Button>
        ))}
        <Button look="text" aria-expanded={isLost} onClick={() => setLost(!isLost)}>
          {t('secondFactor.none')}
        </Button>
        {isLost && lost}
      </div>
    </OnlyField>
  );
};
