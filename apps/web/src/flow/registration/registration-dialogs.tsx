import type { InteractionDetails } from '@candela/contract';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { TakenDialog } from './taken-dialog.tsx';
import { TermsDialog } from './terms-dialog.tsx';
import type { useRegistration } from './use-registration.ts';

type Registration = ReturnType<typeof useRegistration>;

interface RegistrationDialogsProps {
  registration: Pick<Registration, 'dialog' | 'register' | 'signInInstead' | 'closeDialog'> & {
    errors: { agreements?: Problem | undefined };
  };
  /** The identifier that may have an account already. */
  identifier: string;
  details: InteractionDetails;
  /** Whose account it is to be, where the page behind does not ask for it. */
  who?: ReactNode;
}

/** The dialogs of the last step: the agreements, or that the identifier has an account. */
export const RegistrationDialogs = ({ registration, identifier, details, who }: RegistrationDialogsProps) => {
  // A refusal of something else closes the dialog, and takes nothing back that the person agreed to.
  const [ticked, setTicked] = useState<readonly string[]>([]);
  return (
    <>
      {registration.dialog === 'terms' && (
        <TermsDialog
          who={who}
          agreements={details.agreements}
          ticked={ticked}
          onTick={setTicked}
          problem={registration.errors.agreements}
          busy={registration.register.busy}
          onAgree={(accepted) => registration.register.run(accepted)}
          onClose={() => {
            setTicked([]);
            registration.closeDialog();
          }}
        />
      )}
      {registration.dialog === 'taken' && (
        <TakenDialog
          identifier={identifier}
          busy={registration.signInInstead.busy}
          onSignIn={() => registration.signInInstead.run()}
          onClose={registration.closeDialog}
        />
      )}
    </>
  );
};
