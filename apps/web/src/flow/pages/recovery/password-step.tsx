import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { Button } from '../../../shell/components/button.tsx';
import column from '../../../shell/components/column.module.css';
import { ErrorSummary } from '../../../shell/components/error-summary.tsx';
import prose from '../../../shell/components/prose.module.css';
import { useFirstFocus } from '../../../shell/forms/use-first-focus.ts';
import { useLateEnter } from '../../../shell/forms/use-late-enter.ts';
import { useLamp } from '../../../shell/frame/flow-frame.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { FlowHeading } from '../../interaction/flow-heading.tsx';
import { flowUrl } from '../../interaction/flow-links.ts';
import { ProvenIdentifier } from '../../interaction/proven-identifier.tsx';
import { RepeatedPasswordFields } from '../../new-password/repeated-password-fields.tsx';
import { LinksToReview, readLinks } from './links-to-review.tsx';
import { OtherWays, readOthers } from './other-ways.tsx';
import type { Background } from './use-background.ts';
import { useNewPassword } from './use-new-password.ts';

interface PasswordStepProps extends Background {
  identifier: string;
  ticket: string;
}

const fields = ['password', 'repeated'] as const;

/** The last step: the new password, and the approvals and ways to sign in that it removes. */
export const PasswordStep = ({ uid, details, identifier, ticket }: PasswordStepProps) => {
  const { t } = useTranslation('account');
  const { state } = useLocation();
  const form = useNewPassword({ uid, identifier, ticket });
  const links = readLinks(state);
  const others = readOthers(state);
  const { entry } = form;
  const { errors } = entry;
  useLamp(form.done ? 1 : entry.fits ? 0.85 : 0.7);
  const input = useRef<HTMLInputElement>(null);
  const isLate = useLateEnter();
  useFirstFocus(() => input.current);

  return (
    <div className={column.column}>
      <FlowHeading
        title={t('recovery.title')}
        heading={t('recovery.passwordTitle')}
        invalid={Object.keys(errors).length > 0}
        details={details}
      />
      <ProvenIdentifier identifier={identifier} page={flowUrl(RECOVERY_PAGE, uid)} draft={form.draft} />
      <form
        className={column.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLate(input.current)) void form.saving.run();
        }}
      >
        <ErrorSummary errors={errors} fields={fields} focusKey={entry.refusals} />
        <HiddenUsername value={identifier} />
        <RepeatedPasswordFields
          label={t('recovery.password')}
          entry={entry}
          inputRef={input}
          busy={form.saving.busy}
        />
        {others.length > 0 && (
          <OtherWays others={others} dropped={form.dropped} onToggle={form.toggleDropped} />
        )}
        <p className={prose.lead}>{t(links.length > 0 ? 'recovery.ends' : 'recovery.endsAll')}</p>
        {links.length > 0 && (
          <LinksToReview links={links} withdraw={form.withdraw} onToggle={form.toggleWithdraw} />
        )}
        <Button look="primary" type="submit" className={column.submit} busy={form.saving.busy}>
          {t('recovery.submit')}
        </Button>
      </form>
    </div>
  );
};
