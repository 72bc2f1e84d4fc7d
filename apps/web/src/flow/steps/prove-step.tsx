import { useTranslation } from 'react-i18next';
import { call } from '../../shell/api/client.ts';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { CodeStep } from './code-step.tsx';

interface ProveStepProps extends ReadyInteraction {
  /** The address of the page that has this step. */
  here: string;
  identifier: string;
}

/** The code that proves the phone or e-mail of a new account. */
export const ProveStep = ({ uid, details, fail, here, identifier }: ProveStepProps) => {
  const { t } = useTranslation();
  return (
    <CodeStep
      title={t('register.title')}
      lead={t('register.codeText', { identifier: wholeIdentifier(identifier) })}
      action={t('register.confirm')}
      purpose="register"
      here={here}
      identifier={identifier}
      details={details}
      fail={fail}
      verify={async (code) => {
        const body = { identifier, code, purpose: 'register' as const };
        const { ticket } = await call('POST /interaction/:uid/verify', { params: { uid }, body });
        return { ticket };
      }}
    />
  );
};
