import type { SecondFactorWay } from '@candela/contract';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../shell/components/button.tsx';
import column from '../../shell/components/column.module.css';
import prose from '../../shell/components/prose.module.css';
import { useProblemText } from '../../shell/forms/form-errors.ts';
import { CodeField } from '../code-entry/code-field.tsx';
import { describedBy, Field, OnlyField } from '../components/field.tsx';
import { canUsePasskeys } from '../passkey/passkey-support.ts';
import type { SecondFactorEntry } from './use-second-factor.ts';

interface SecondFactorFieldProps {
  entry: SecondFactorEntry;
  /** Is called with a whole code of the app. */
  onComplete: (code: string) => void;
}

interface OtherFactorsProps {
  /** Those that the account has. */
  ways: readonly SecondFactorWay[];
  entry: SecondFactorEntry;
  /** What helps who has none of the ways; undefined where it is under way. */
  lost: ReactNode | undefined;
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

const TotpField = ({ entry, onComplete }: SecondFactorFieldProps) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  return (
    <CodeField
      id="second-factor"
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

/** What the chosen way asks for. */
export const SecondFactorField = ({ entry, onComplete }: SecondFactorFieldProps) => {
  const { t } = useTranslation('security');
  return (
    <OnlyField value={true}>
      {entry.way === 'totp' && <TotpField entry={entry} onComplete={onComplete} />}
      {entry.way === 'recovery_code' && <RecoveryCodeField entry={entry} />}
      {entry.way === 'passkey' && (
        <p ref={entry.words} tabIndex={-1} className={prose.lead}>
          {t('secondFactor.passkeyText')}
        </p>
      )}
    </OnlyField>
  );
};

/** The ways that are not chosen, and what helps who has none. */
export const OtherFactors = ({ ways, entry, lost }: OtherFactorsProps) => {
  const { t } = useTranslation('security');
  const [isLost, setLost] = useState(false);
  const others = ways.filter((way) => way !== entry.way && (way !== 'passkey' || canUsePasskeys()));
  return (
    <div className={column.tail}>
      {others.map((way) => (
        <Button key={way} look="text" onClick={() => entry.choose(way)}>
          {t(useOf[way])}
        </Button>
      ))}
      {lost !== undefined && (
        <Button look="text" aria-expanded={isLost} onClick={() => setLost(!isLost)}>
          {t('secondFactor.none')}
        </Button>
      )}
      {isLost && lost}
    </div>
  );
};
