import type { DeskApproval } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shell/api/client.ts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { act } from '../../queries.ts';

interface AnswerDialogProps {
  approval: DeskApproval;
  approve: boolean;
  onAnswered: () => Promise<void>;
  onClose: () => void;
}

/** Says what the answer does to the person, and asks for its reason. */
export const AnswerDialog = ({ approval, approve, onAnswered, onClose }: AnswerDialogProps) => {
  const { t } = useTranslation('desk');
  const { nickname: name } = approval.account;
  const decline = approval.own ? 'withdraw' : 'decline';
  const key = approve ? 'approve' : decline;
  const params = { id: approval.id };
  return (
    <ReasonDialog
      title={t(`desk.approvals.${key}Title`, { name })}
      text={t(`desk.approvals.${key}Text`)}
      action={t(`desk.approvals.${key}`)}
      carryOut={(reason) =>
        act(() => call('POST /api/desk/approvals/:id', { params, body: { approve, reason } }))
      }
      onDone={onAnswered}
      onClose={onClose}
    />
  );
};
