import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, signInAgain } from '../../shell/api/client.ts';
import { focusSoon } from '../../shell/forms/focus-soon.ts';
import { accountQuery, queryClient } from '../account/queries.ts';
import { StepUpGate } from '../account/step-up-gate.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import type { ContactKind } from './use-contact.ts';

interface AddContactProps {
  /** The account that gets the contact. The dialog does not open when another account is signed in by now. */
  accountId: string;
  kind: ContactKind;
  onClose: (added: boolean) => void;
  /** Called when the account did not load. */
  onFailed: (error: ApiError) => void;
}

const Opened = ({ accountId, kind, onClose, onFailed }: AddContactProps) => {
  const { data: account, error } = useQuery(accountQuery);
  useEffect(() => {
    if (error instanceof ApiError) onFailed(error);
  }, [error, onFailed]);
  const isOther = account !== undefined && account.id !== accountId;
  useEffect(() => {
    if (isOther) onFailed(new ApiError('interaction_expired', { status: 410 }));
  }, [isOther, onFailed]);
  if (!account || isOther) return null;
  const close = () => {
    const added = queryClient.getQueryData(accountQuery.queryKey)?.[kind] !== undefined;
    // The button that had the focus is gone.
    if (added) focusSoon(() => document.querySelector('h1'));
    onClose(added);
  };
  return (
    <ContactDialog
      account={account}
      kind={kind}
      draft={undefined}
      onSignedOut={() => signInAgain()}
      onClose={close}
    />
  );
};

/** The dialog that adds a contact, over the screen of the authorization request. */
export const AddContact = (props: AddContactProps) => (
  <QueryClientProvider client={queryClient}>
    <Opened {...props} />
    <StepUpGate />
  </QueryClientProvider>
);
