/**
 * The member of an interaction's payload that holds the results of the steps before: the engine's own
 * `interactionResult` lays a new result over them.
 */
export const LAST_SUBMISSION = 'lastSubmission';
