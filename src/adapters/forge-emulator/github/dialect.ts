import type { Dialect } from '../http/dialect.ts';
import type { World } from '../state/world.ts';
import { githubHookHeaders } from './hook-headers.ts';
import { githubMessages } from './messages.ts';
import { githubFailure, githubRefusal } from './refusals.ts';
import { APP_ROUTES } from './routes-apps.ts';
import { BRANCH_ROUTES } from './routes-branches.ts';
import { CHECK_ROUTES } from './routes-checks.ts';
import { ISSUE_ROUTES } from './routes-issues.ts';
import { MEMBER_ROUTES } from './routes-members.ts';
import { PULL_ROUTES } from './routes-pulls.ts';
import { REPOSITORY_ROUTES } from './routes-repositories.ts';
import { REVIEW_ROUTES } from './routes-reviews.ts';

export function githubDialect(world: () => World): Dialect {
  return {
    rules: {
      labelsAreUnique: true,
      longestComment: 65_536,
      jobsAre: 'check_runs',
      mergeabilityIsReadOn: 'look',
      pushesMerge: true,
      mergeChecksHeadFirst: true,
      reviewsCheckLines: true,
      reviewsAnswerRequests: true,
      newReviewDismissesOlder: false,
      hooksAreUnique: true,
      newHooksArePinged: true,
      timelineIds: 'own',
      tokenPrefix: 'ghp_',
    },
    prefix: '/api/v3',
    prefixIsOptional: true,
    routes: [
      ...APP_ROUTES,
      ...REPOSITORY_ROUTES,
      ...BRANCH_ROUTES,
      ...MEMBER_ROUTES,
      ...ISSUE_ROUTES,
      ...PULL_ROUTES,
      ...REVIEW_ROUTES,
      ...CHECK_ROUTES,
    ],
    revalidates: true,
    moved: { status: 301, byId: true },
    refusal: githubRefusal,
    failure: githubFailure,
    rateHeaders: ({ limit, remaining, resetAt }) => ({
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(resetAt),
      'X-RateLimit-Used': String(limit - remaining),
      'X-RateLimit-Resource': 'core',
      'X-GitHub-Media-Type': 'github.v3; format=json',
    }),
    hookEvents: (asked) => [...asked],
    messages: (event, place) => githubMessages(world(), event, place),
    isHeard: (events, { event }) => events.includes('*') || events.includes(event),
    hookHeaders: githubHookHeaders,
  };
}
