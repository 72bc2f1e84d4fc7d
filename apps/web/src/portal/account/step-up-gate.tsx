import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { bring } from '../../shell/bring.ts';
import { ChunkBoundary } from '../../shell/chunk/chunk-boundary.tsx';
import { partWithTexts } from '../../shell/part-with-texts.ts';
import { accountQuery } from './queries.ts';
import { useStepUpQuestion } from './step-up.ts';

const StepUpDialog = partWithTexts(
  'security',
  async () => (await bring(() => import('./step-up-dialog.tsx'))).StepUpDialog,
);

/** Shows the open question of `useSensitiveSubmit`. */
export const StepUpGate = () => {
  const question = useStepUpQuestion();
  const { data: account } = useQuery({ ...accountQuery, enabled: question !== undefined });
  const { pathname } = useLocation();
  // To leave the page is to give up the question.
  useEffect(() => () => question?.answer('given-up'), [question, pathname]);
  if (!question || !account) return null;
  return (
    <ChunkBoundary overlay>
      <StepUpDialog key={question.ask.what} account={account} question={question} />
    </ChunkBoundary>
  );
};
