import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ContactDialog } from '../../account/contact-dialog.tsx';
import { accountQuery, queryClient } from '../../account/queries.ts';
import { StepUpGate } from '../../account/step-up-gate.tsx';
import type { ContactKind } from '../../account/use-contact.ts';
import { ApiError, signInAgain } from '../../api/client.ts';
import { focusSoon } from '../../components/focus-soon.ts';

interface AddContactProps {
  /** Whose contact it becomes; of another account that is signed in by now, nothing opens. */
  accountId: string;
  kind: ContactKind;
  onClose: (added: boolean) => void;
  /** The account could not be asked. */
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
    // The button goes with what it did.
    if (added) focusSoon(() => document.querySelector('h1'));
    onClose(added);
  };
  return (
    <ContactDialog
      account={account}
      kind={kind}
      draft={undefined}
      onSignedOut={signInAgain}
      onClose={close}
    />
  );
};

/** The dialog of the account's settings, over a request that goes on behind it. */
export const AddContact = (props: AddContactProps) => (
  <QueryClientProvider client={queryClient}>
    <Opened {...props} />
    <StepUpGate />
  </QueryClientProvider>
);
