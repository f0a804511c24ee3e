/* Made from src/api/routes.ts by `node test/support/api-types.ts`. */

export interface paths {
  '/v1/projects': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * All projects with what waits and runs in them
     * @description For viewers and operators.
     */
    get: operations['listProjects'];
    put?: never;
    /**
     * Register a project
     * @description For operators.
     */
    post: operations['addProject'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One project
     * @description For viewers and operators.
     */
    get: operations['getProject'];
    put?: never;
    post?: never;
    /**
     * Remove a project that has no open tasks
     * @description For operators.
     */
    delete: operations['removeProject'];
    options?: never;
    head?: never;
    /**
     * Change settings of a project that the API made
     * @description For operators.
     */
    patch: operations['changeProject'];
    trace?: never;
  };
  '/v1/projects/{name}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start nothing more in a project; what runs goes on
     * @description For operators.
     */
    post: operations['pauseProject'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projects/{name}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Go on in a paused project
     * @description For operators.
     */
    post: operations['resumeProject'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tasks, newest first; `state` takes several, joined by commas
     * @description For viewers and operators.
     */
    get: operations['listTasks'];
    put?: never;
    /**
     * Post one task, or several that belong together: all of them or none
     * @description For operators.
     */
    post: operations['postTasks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One task with its thread, runs, notes, children, and why it waits
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change what a waiting task says or asks for
     * @description For operators.
     */
    patch: operations['editTask'];
    trace?: never;
  };
  '/v1/tasks/{id}/why': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Why a task is not running, rule by rule, and what would free it
     * @description For viewers and operators.
     */
    get: operations['whyTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The transcript of the present or last run of a task
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getTaskLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a task for good; a worker that has it is told to stop
     * @description For operators.
     */
    post: operations['cancelTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a deferred task start now
     * @description For operators.
     */
    post: operations['retryTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/reopen': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a task of one that has ended, linked to it
     * @description For operators.
     */
    post: operations['reopenTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a proposed task start, or those that a decomposition proposed
     * @description For operators.
     */
    post: operations['approveTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take a task back from its worker; another may take it up
     * @description For operators.
     */
    post: operations['releaseTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/answer': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Answer an agent's question; the task can be taken up again
     * @description For operators.
     */
    post: operations['answerTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Threads, newest first
     * @description For viewers and operators.
     */
    get: operations['listThreads'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One thread with its tasks, children and notes
     * @description For viewers and operators.
     */
    get: operations['getThread'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/handover': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A person takes the thread over: its runs stop and nothing in it starts
     * @description For operators.
     */
    post: operations['handOverThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/handback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The agents go on with the thread
     * @description For operators.
     */
    post: operations['handBackThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/land': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Its pull request was merged; for halls that no forge tells so
     * @description For operators.
     */
    post: operations['landThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/review': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A person reviews its pull request where no forge takes reviews
     * @description For operators.
     */
    post: operations['reviewThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/merge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Merge its pull request as soon as it can be, where the hall itself is the forge
     * @description For operators.
     */
    post: operations['mergeThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/threads/{id}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Its pull request is not wanted: the thread ends without being done
     * @description For operators.
     */
    post: operations['closeThread'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/graph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Open threads that depend on others or are parts of others
     * @description For viewers and operators.
     */
    get: operations['getGraph'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/workers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The active workers
     * @description For viewers and operators.
     */
    get: operations['listWorkers'];
    put?: never;
    /**
     * Join the hall as an instance of the pool
     * @description For operators and for tokens that may bring in workers.
     */
    post: operations['registerWorker'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/workers/{id}/heartbeat': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Say that the worker lives, and learn whether to go on
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['beatWorker'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/workers/{id}/drain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a worker finish what it has and take nothing more
     * @description For operators.
     */
    post: operations['drainWorker'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/workers/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * A worker leaves; its task goes back to the board, or is given up when it has cost too many
     * @description For operators, and for the worker itself.
     */
    delete: operations['dismissWorker'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/claims': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take the next task this worker may take, waiting for one if asked to
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['claimTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One run
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/transcript': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a run said, piece by piece
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getTranscript'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The worker begins; from now on its time counts
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['startRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Add to the transcript
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['logRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The whole usage of the run so far; the first report spends its credit
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['useRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/note': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Leave a note in the thread
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['noteRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/ask': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask a person; the run ends and the task waits for the answer
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['askRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/report': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The worker's last word on a run, and with `next` the next claim at once
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['reportRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/brief': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the agent that does the task is told, where it works and as whom
     * @description For the worker itself, by the token it was given when it joined.
     */
    get: operations['getBrief'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Keep the conversation, so that the next run in the thread goes on with it
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['keepSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/prompt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What an agent that takes the task is told, but for what its repository says
     * @description For viewers and operators.
     */
    get: operations['getTaskPrompt'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/runs/{id}/tool': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * May the agent make this call? A review is asked again once its approval is answered
     * @description For the worker itself, by the token it was given when it joined.
     */
    post: operations['callTool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Calls of tools that wait for a person
     * @description For viewers and operators.
     */
    get: operations['listApprovals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One approval; with wait_seconds, as soon as it is answered
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getApproval'];
    put?: never;
    /**
     * Approve once, deny once, or approve and make it a rule
     * @description For operators.
     */
    post: operations['answerApproval'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rules': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Rules about calls of tools, beside those built in
     * @description For viewers and operators.
     */
    get: operations['listRules'];
    put?: never;
    /**
     * Accept or deny commands from now on
     * @description For operators.
     */
    post: operations['setRule'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rules/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * The rule holds no more
     * @description For operators.
     */
    delete: operations['removeRule'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/rules/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * What would be decided, and what a rule would have matched; changes nothing
     * @description For operators.
     */
    post: operations['testRules'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/decisions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What was decided about calls of tools, newest first
     * @description For viewers and operators.
     */
    get: operations['listDecisions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The kill switch: start nothing more anywhere
     * @description For operators.
     */
    post: operations['pauseHall'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Go on after a pause or a drain
     * @description For operators.
     */
    post: operations['resumeHall'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/drain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let what runs end and start nothing more, so that the hall can be stopped
     * @description For operators.
     */
    post: operations['drainHall'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/sources': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where tasks come from by themselves
     * @description For viewers and operators.
     */
    get: operations['listSources'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tokens': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The named tokens, without what they open doors with
     * @description For operators.
     */
    get: operations['listTokens'];
    put?: never;
    /**
     * Make a named token
     * @description For operators.
     */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tokens/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Take a token back
     * @description For operators.
     */
    delete: operations['revokeToken'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The members of the pool
     * @description For viewers and operators.
     */
    get: operations['listAgents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One member of the pool
     * @description For viewers and operators.
     */
    get: operations['getAgent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{name}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an instance nothing more; what it runs goes on
     * @description For operators.
     */
    post: operations['pauseAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/agents/{name}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Go on with a paused instance
     * @description For operators.
     */
    post: operations['resumeAgent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/invokers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Who pays for runs, and how much of the week is spent
     * @description For viewers and operators.
     */
    get: operations['listInvokers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/invokers/{handle}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let an invoker pay for nothing more
     * @description For operators.
     */
    post: operations['pauseInvoker'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/invokers/{handle}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a paused invoker pay again
     * @description For operators.
     */
    post: operations['resumeInvoker'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where things are
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getRoot'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Where things are
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getApiRoot'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/board': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Projects, active workers, tasks and completed work; `at` shows the past
     * @description For viewers and operators.
     */
    get: operations['getBoard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The history: every change with its time, actor and cause
     * @description For viewers and operators.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Events as they happen (SSE); goes on after `Last-Event-ID` without loss
     * @description For viewers and operators.
     */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How much was completed, failed and rejected, and for which reasons
     * @description For viewers and operators.
     */
    get: operations['getStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Credits spent this week, and what the present runs use
     * @description For viewers and operators.
     */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Every component of the hall, and what is the matter with it
     * @description For viewers and operators.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Is the process up?
     * @description Answered to anybody.
     */
    get: operations['getLiveness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Can the hall take requests?
     * @description Answered to anybody.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Figures for Prometheus
     * @description For viewers and operators.
     */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This description
     * @description For viewers and operators, and for a worker about what is its own.
     */
    get: operations['getOpenApi'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Project: {
      name: string;
      repo: string | null;
      max_workers: number;
      isolation: ('sandbox' | 'container' | 'none') | null;
      /** @enum {string} */
      merge_policy: 'human' | 'on-approval' | 'force-at-max-rounds';
      default_size: components['schemas']['Size'];
      max_retries: number;
      crash_requeues: number;
      max_rounds: number;
      approvers: string[];
      auto_approve: boolean;
      budget_usd: number | null;
      sources: ({
        kind: string;
      } & {
        [key: string]: unknown;
      })[];
      base: string | null;
      setup: string[];
      copy: string[];
      checks: {
        name: string;
        run: string;
      }[];
      /** @enum {string} */
      ci: 'required' | 'none';
      network: string[];
      limits: {
        cpu: number | null;
        memory_mb: number | null;
        pids: number | null;
      };
      declared: {
        file: string;
        line: number;
      } | null;
      paused: components['schemas']['Pause'] | null;
      added_at: components['schemas']['Time'];
      running: number;
      counts: components['schemas']['Counts'];
    };
    /** @enum {string} */
    Size: 'XS' | 'S' | 'M' | 'L' | 'XL';
    Pause: {
      since: components['schemas']['Time'];
      by: string;
      because: string | null;
    };
    /** Format: date-time */
    Time: string;
    Counts: {
      proposed: number;
      blocked: number;
      available: number;
      deferred: number;
      claimed: number;
      running: number;
      awaiting_approval: number;
      awaiting_input: number;
      completed: number;
      failed: number;
      rejected: number;
      cancelled: number;
    };
    ProjectAsked: {
      name: components['schemas']['Name'];
      /** @default null */
      repo?: string | null;
      /** @default 3 */
      max_workers?: number;
      /** @default null */
      isolation?: ('sandbox' | 'container' | 'none') | null;
      /**
       * @default human
       * @enum {string}
       */
      merge_policy?: 'human' | 'on-approval' | 'force-at-max-rounds';
      default_size?: string;
      /** @default 3 */
      max_retries?: number;
      /** @default 3 */
      crash_requeues?: number;
      /** @default 3 */
      max_rounds?: number;
      /** @default [] */
      approvers?: components['schemas']['Name'][];
      /** @default false */
      auto_approve?: boolean;
      /** @default null */
      budget_usd?: number | null;
      /** @default [] */
      sources?: components['schemas']['SourceAsked'][];
      /** @default null */
      base?: string | null;
      /** @default [] */
      setup?: string[];
      /** @default [] */
      copy?: string[];
      /** @default [] */
      checks?: {
        name: components['schemas']['Name'];
        run: string;
      }[];
      /**
       * @default required
       * @enum {string}
       */
      ci?: 'required' | 'none';
      /** @default [] */
      network?: string[];
      /** @default {} */
      limits?: components['schemas']['LimitsAsked'];
    };
    Name: string;
    SourceAsked:
      | {
          /** @constant */
          kind: 'github-issues';
          /** @default {} */
          filter?: {
            /** @default [] */
            labels?: string[];
          };
        }
      | {
          /** @constant */
          kind: 'forgejo-issues';
          /** @default {} */
          filter?: {
            /** @default [] */
            labels?: string[];
          };
        }
      | {
          /** @constant */
          kind: 'spiral-grove';
          /** @default .sdd/tasks */
          path?: string;
        }
      | {
          /** @constant */
          kind: 'spec-files';
          /** @default specs */
          path?: string;
        }
      | {
          /** @constant */
          kind: 'api';
        };
    LimitsAsked: {
      /** @default null */
      cpu?: number | null;
      /** @default null */
      memory_mb?: number | null;
      /** @default null */
      pids?: number | null;
    };
    ProjectChange: {
      repo?: string | null;
      max_workers?: number;
      isolation?: ('sandbox' | 'container' | 'none') | null;
      /** @enum {string} */
      merge_policy?: 'human' | 'on-approval' | 'force-at-max-rounds';
      default_size?: string;
      max_retries?: number;
      crash_requeues?: number;
      max_rounds?: number;
      approvers?: components['schemas']['Name'][];
      auto_approve?: boolean;
      budget_usd?: number | null;
      sources?: components['schemas']['SourceAsked'][];
      base?: string | null;
      setup?: string[];
      copy?: string[];
      checks?: {
        name: components['schemas']['Name'];
        run: string;
      }[];
      /** @enum {string} */
      ci?: 'required' | 'none';
      network?: string[];
      limits?: components['schemas']['LimitsAsked'];
    };
    /** @example t-12 */
    TaskName: string;
    Task: {
      id: components['schemas']['TaskName'];
      thread: components['schemas']['ThreadName'];
      project: string;
      title: string;
      skill: string;
      type: string;
      instance: string | null;
      agent: string;
      size: components['schemas']['Size'];
      labels: string[];
      state: components['schemas']['TaskState'];
      since: components['schemas']['Time'];
      posted_by: string;
      posted_at: components['schemas']['Time'];
      crashes: number;
      reopens: components['schemas']['TaskName'] | null;
      progress: string | null;
      until?: components['schemas']['Time'];
      because?: string;
      run?: components['schemas']['RunName'];
      question?: string;
      outcome?: string;
      summary?: string;
      rejection?: components['schemas']['Rejection'];
      cancelled_by?: string;
    };
    /** @example th-11 */
    ThreadName: string;
    /** @enum {string} */
    TaskState:
      | 'proposed'
      | 'blocked'
      | 'available'
      | 'deferred'
      | 'claimed'
      | 'running'
      | 'awaiting_approval'
      | 'awaiting_input'
      | 'completed'
      | 'failed'
      | 'rejected'
      | 'cancelled';
    /** @example r-40 */
    RunName: string;
    Rejection: {
      /** @enum {string} */
      reason_code:
        | 'underspecified'
        | 'out_of_scope'
        | 'too_large'
        | 'duplicate'
        | 'blocked'
        | 'unsafe';
      message: string;
      missing: string[];
      questions: string[];
      suggested_size: components['schemas']['Size'] | null;
    };
    TaskAsked: {
      project: components['schemas']['Name'];
      title: string;
      /** @default  */
      body?: string;
      /** @default implement */
      skill?: string;
      /** @default null */
      type?: components['schemas']['Name'] | null;
      /** @default null */
      agent?: components['schemas']['Name'] | null;
      /** @default [] */
      labels?: string[];
      size?: string | null;
      /** @default [] */
      depends_on?: string[];
      /** @default null */
      ref?: string | null;
      /** @default null */
      parent?: components['schemas']['TaskName'] | null;
    };
    TasksPosted: {
      tasks: components['schemas']['TaskPosted'][];
      warnings: {
        path: string;
        message: string;
      }[];
    };
    TaskPosted: {
      id: components['schemas']['TaskName'];
      thread: components['schemas']['ThreadName'];
      state: components['schemas']['TaskState'];
    };
    WholeTask: {
      task: components['schemas']['TaskWithBody'];
      thread: components['schemas']['Thread'];
      runs: components['schemas']['Run'][];
      notes: components['schemas']['Note'][];
      children: components['schemas']['ChildThread'][];
      dependencies: components['schemas']['Thread'][];
      why: components['schemas']['Why'] | null;
      next_step: string | null;
    };
    TaskWithBody: {
      id: components['schemas']['TaskName'];
      thread: components['schemas']['ThreadName'];
      project: string;
      title: string;
      skill: string;
      type: string;
      instance: string | null;
      agent: string;
      size: components['schemas']['Size'];
      labels: string[];
      state: components['schemas']['TaskState'];
      since: components['schemas']['Time'];
      posted_by: string;
      posted_at: components['schemas']['Time'];
      crashes: number;
      reopens: components['schemas']['TaskName'] | null;
      progress: string | null;
      until?: components['schemas']['Time'];
      because?: string;
      run?: components['schemas']['RunName'];
      question?: string;
      outcome?: string;
      summary?: string;
      rejection?: components['schemas']['Rejection'];
      cancelled_by?: string;
      body: string;
      proposed_by: {
        worker: components['schemas']['WorkerName'];
        instance: string;
      } | null;
    };
    /** @example w-7 */
    WorkerName: string;
    Thread: {
      id: components['schemas']['ThreadName'];
      project: string;
      title: string;
      /** @enum {string} */
      state: 'open' | 'done' | 'ended' | 'cancelled';
      labels: string[];
      size: components['schemas']['Size'];
      agent: string | null;
      parent: components['schemas']['ThreadName'] | null;
      depends_on: components['schemas']['ThreadName'][];
      waits_for: components['schemas']['ThreadName'][];
      children: number;
      children_done: number;
      progress: string | null;
      handed_over: components['schemas']['Pause'] | null;
      issue: {
        number: number;
        url: string;
      } | null;
      pr: {
        number: number;
        url: string;
        /** @enum {string} */
        state: 'open' | 'merged' | 'closed';
      } | null;
      branch: string | null;
      head: string | null;
      checks: {
        commit: string;
        /** @enum {string} */
        is: 'green' | 'red';
        failing: string[];
      } | null;
      verdict: {
        commit: string;
        /** @enum {string} */
        is: 'approved' | 'changes_requested';
        by: string;
        type: string | null;
      } | null;
      merge_asked: string | null;
      merge_waits: string | null;
      review_rounds: number;
      ci_retries: number;
      opened_at: components['schemas']['Time'];
      tasks: components['schemas']['TaskName'][];
    };
    Run: {
      id: components['schemas']['RunName'];
      task: components['schemas']['TaskName'];
      thread: components['schemas']['ThreadName'];
      project: string;
      worker: string;
      instance: string;
      agent: string;
      invoker: string | null;
      credits: number;
      claimed_at: components['schemas']['Time'];
      started_at: components['schemas']['Time'] | null;
      limit_seconds: number;
      usage: components['schemas']['Usage'];
      ending: components['schemas']['Ending'] | null;
    };
    Usage: {
      input_tokens: number;
      output_tokens: number;
      turns: number;
      cost_usd: number;
    };
    Ending: {
      at: components['schemas']['Time'];
      /** @enum {string} */
      how:
        | 'completed'
        | 'failed'
        | 'rejected'
        | 'asked'
        | 'deferred'
        | 'lost'
        | 'released'
        | 'cancelled';
      outcome?: string;
      summary?: string;
      branch?: string | null;
      commit?: string | null;
      pr?: {
        number: number;
        url: string;
      } | null;
      details?: string | null;
      verdict?: string;
      rejection?: components['schemas']['Rejection'];
      question?: string;
      session?: string | null;
      until?: components['schemas']['Time'];
      because?: string;
    };
    Note: {
      seq: number;
      task: components['schemas']['TaskName'];
      run: components['schemas']['RunName'] | null;
      by: string;
      at: components['schemas']['Time'];
      /** @enum {string} */
      kind: 'note' | 'question' | 'answer' | 'review' | 'checks' | 'conflict';
      text: string;
    };
    ChildThread: {
      id: components['schemas']['ThreadName'];
      project: string;
      title: string;
      /** @enum {string} */
      state: 'open' | 'done' | 'ended' | 'cancelled';
      labels: string[];
      size: components['schemas']['Size'];
      agent: string | null;
      parent: components['schemas']['ThreadName'] | null;
      depends_on: components['schemas']['ThreadName'][];
      waits_for: components['schemas']['ThreadName'][];
      children: number;
      children_done: number;
      progress: string | null;
      handed_over: components['schemas']['Pause'] | null;
      issue: {
        number: number;
        url: string;
      } | null;
      pr: {
        number: number;
        url: string;
        /** @enum {string} */
        state: 'open' | 'merged' | 'closed';
      } | null;
      branch: string | null;
      head: string | null;
      checks: {
        commit: string;
        /** @enum {string} */
        is: 'green' | 'red';
        failing: string[];
      } | null;
      verdict: {
        commit: string;
        /** @enum {string} */
        is: 'approved' | 'changes_requested';
        by: string;
        type: string | null;
      } | null;
      merge_asked: string | null;
      merge_waits: string | null;
      review_rounds: number;
      ci_retries: number;
      opened_at: components['schemas']['Time'];
      tasks: components['schemas']['TaskName'][];
      task: {
        id: components['schemas']['TaskName'];
        state: components['schemas']['TaskState'];
      } | null;
    };
    Why: {
      state: components['schemas']['TaskState'];
      since: components['schemas']['Time'];
      claimable: boolean;
      reasons: components['schemas']['Reason'][];
      ahead: number;
      takers: {
        instance: string;
        reasons: components['schemas']['Reason'][];
      }[];
    };
    Reason: {
      rule: string;
      because: string;
      frees: string;
      until: components['schemas']['Time'] | null;
    };
    TaskEdit: {
      title?: string;
      body?: string;
      labels?: string[];
      size?: string;
      type?: components['schemas']['Name'];
      agent?: components['schemas']['Name'] | null;
      depends_on?: string[];
    };
    TaskMoved: {
      id: components['schemas']['TaskName'];
      state: components['schemas']['TaskState'];
    };
    Transcript: {
      entries: {
        run: components['schemas']['RunName'];
        n: number;
        at: components['schemas']['Time'];
        text: string;
      }[];
      next: number | null;
    };
    WholeThread: {
      thread: components['schemas']['Thread'];
      tasks: components['schemas']['Task'][];
      children: components['schemas']['ChildThread'][];
      dependencies: components['schemas']['Thread'][];
      notes: components['schemas']['Note'][];
    };
    ReviewAsked: {
      /** @enum {string} */
      verdict: 'approved' | 'changes_requested';
      /** @default  */
      text?: string;
    };
    Graph: {
      threads: {
        id: components['schemas']['ThreadName'];
        project: string;
        title: string;
        parent: components['schemas']['ThreadName'] | null;
        depends_on: components['schemas']['ThreadName'][];
        waits_for: components['schemas']['ThreadName'][];
        progress: string | null;
        tasks: components['schemas']['TaskName'][];
      }[];
      more: boolean;
    };
    WorkerAsked: {
      instance: components['schemas']['Name'];
      /** @default null */
      projects?: components['schemas']['Name'][] | null;
      /** @default false */
      brings_model?: boolean;
      /** @default null */
      host?: string | null;
      cells?: components['schemas']['CellsTold'];
    };
    CellsTold: {
      /** @enum {string} */
      kind: 'sandbox' | 'container' | 'none';
      gaps: string[];
    };
    WorkerRegistered: {
      id: components['schemas']['WorkerName'];
      token: string;
      instance: string;
      projects: string[] | null;
      brings_model: boolean;
      lease_seconds: number;
      heartbeat_seconds: number;
    };
    Worker: {
      id: components['schemas']['WorkerName'];
      instance: string;
      projects: string[] | null;
      brings_model: boolean;
      host: string | null;
      cells: {
        kind: string;
        gaps: string[];
      } | null;
      draining: boolean;
      registered_at: components['schemas']['Time'];
      last_seen: components['schemas']['Time'] | null;
      waiting: boolean;
      run: {
        id: components['schemas']['RunName'];
        task: components['schemas']['TaskName'];
        project: string;
      } | null;
    };
    Orders: {
      /** @enum {string} */
      orders: 'go_on' | 'stop' | 'drain';
      run: components['schemas']['RunName'] | null;
      reason: string | null;
    };
    Claim: {
      run: components['schemas']['RunName'];
      fence: number;
      lease_seconds: number;
      heartbeat_seconds: number;
      limit_seconds: number;
      task: components['schemas']['TaskToDo'];
    };
    TaskToDo: {
      id: components['schemas']['TaskName'];
      thread: components['schemas']['ThreadName'];
      project: string;
      repo: string | null;
      title: string;
      body: string;
      skill: string;
      type: string;
      agent: string;
      size: string;
      labels: string[];
      branch: string | null;
      pr: {
        number: number;
        url: string;
        state: string;
      } | null;
      notes: {
        kind: string;
        by: string;
        at: components['schemas']['Time'];
        text: string;
      }[];
      previous: {
        run: components['schemas']['RunName'];
        ending: components['schemas']['Ending'];
      }[];
    };
    NothingClaimed: {
      run: null;
      reasons: {
        rule: string;
        because: string;
        project: string | null;
      }[];
    };
    ReportAsked: {
      fence: number;
      /** @enum {string} */
      outcome:
        | 'completed'
        | 'pr_created'
        | 'comment_posted'
        | 'rerouted'
        | 'failed'
        | 'max_turns_exceeded'
        | 'quota_exceeded'
        | 'rejected';
      /** @default  */
      summary?: string;
      /** @default null */
      branch?: string | null;
      /** @default null */
      commit?: string | null;
      /** @default null */
      pr?: {
        number: number;
        /** Format: uri */
        url: string;
      } | null;
      /** @default null */
      details?: string | null;
      /** @default null */
      verdict?: ('approved' | 'changes_requested') | null;
      /** @default null */
      agent?: components['schemas']['Name'] | null;
      rejection?: {
        /** @enum {string} */
        reason_code:
          | 'underspecified'
          | 'out_of_scope'
          | 'too_large'
          | 'duplicate'
          | 'blocked'
          | 'unsafe';
        message: string;
        /** @default [] */
        missing?: string[];
        /** @default [] */
        questions?: string[];
        suggested_size?: string | null;
      } | null;
      /** @default null */
      resets_at?: string | null;
      /** @default [] */
      children?: components['schemas']['ChildAsked'][];
      /** @default null */
      next?: {
        /** @default 0 */
        wait_seconds?: number;
      } | null;
    };
    ChildAsked: {
      title: string;
      /** @default  */
      body?: string;
      /** @default [] */
      labels?: string[];
      /** @default [] */
      depends_on?: string[];
      /** @default null */
      ref?: string | null;
      /** @default implement */
      skill?: string;
    };
    Reported: {
      task: components['schemas']['TaskName'];
      state: components['schemas']['TaskState'];
      next: components['schemas']['Claim'] | null;
    };
    Brief: {
      repo: string | null;
      base: string | null;
      branch: string;
      head: string | null;
      writes: boolean;
      agent: {
        instance: string;
        slug: string;
        model: string;
        max_turns: number;
        command: string[] | null;
        git: {
          name: string;
          email: string;
        };
        gpg_key: string | null;
        co_author: string;
      };
      cell: {
        isolation: string | null;
        image: string | null;
        limits: {
          cpu: number | null;
          memory_mb: number | null;
          pids: number | null;
        };
        network: string[];
        setup: string[];
        copy: string[];
      };
      prompt: components['schemas']['PromptParts'];
      session: {
        id: string;
        history: string;
      } | null;
    };
    PromptParts: {
      contract: string;
      persona: string | null;
      skill: string;
      appendix: string | null;
      words: {
        [key: string]: string;
      };
      task: {
        name: string;
        project: string;
        skill: string;
        size: string;
        branch: string;
        base: string;
      };
      thread: {
        source: string;
        author: string;
        text: string;
      }[];
      memory: {
        source: string;
        author: string;
        text: string;
      }[];
    };
    ShownPrompt: {
      system: string;
      task: string;
    };
    ToolAsked: {
      fence: number;
      /** @default Bash */
      tool?: string;
      command: string;
      cwd: string;
      worktree: string;
      /** @default {} */
      links?: {
        [key: string]: string;
      };
      /** @default {} */
      scripts?: {
        [key: string]: string;
      };
    };
    ToolAnswered: {
      /** @enum {string} */
      verdict: 'accept' | 'deny' | 'review';
      because: string;
      rule: string;
      part: string | null;
      approval: components['schemas']['ApprovalName'] | null;
    };
    /** @example ap-12 */
    ApprovalName: string;
    Approval: {
      id: components['schemas']['ApprovalName'];
      /** @enum {string} */
      state: 'open' | 'approved' | 'denied' | 'expired' | 'used';
      run: components['schemas']['RunName'];
      task: components['schemas']['TaskName'];
      title: string;
      project: string;
      worker: string;
      tool: string;
      command: string;
      length: number;
      oddities: string[];
      tree: string[];
      cwd: string;
      worktree: string;
      because: string;
      rule: string;
      before: {
        command: string;
        /** @enum {string} */
        verdict: 'accept' | 'deny' | 'review';
        at: components['schemas']['Time'];
      }[];
      asked_at: components['schemas']['Time'];
      expires_at: components['schemas']['Time'];
      nonce: string | null;
      answer: {
        by: string;
        at: components['schemas']['Time'];
        because: string | null;
      } | null;
    };
    AnswerAsked: {
      /** @enum {string} */
      answer: 'approve' | 'deny';
      nonce: string;
      /** @default null */
      because?: string | null;
      /** @default null */
      promote?: ('project' | 'global') | null;
    };
    Rule: {
      id: components['schemas']['RuleName'];
      /** @enum {string} */
      verdict: 'accept' | 'deny';
      project: string | null;
      match: components['schemas']['Match'];
      expires: components['schemas']['Time'] | null;
      note: string;
      set_at: components['schemas']['Time'];
      set_by: string;
    };
    /** @example ru-12 */
    RuleName: string;
    Match: {
      program?: string;
      command?: string;
      flags?: string[];
      path?: string;
    };
    RuleAsked: {
      /** @enum {string} */
      verdict: 'accept' | 'deny';
      /** @default null */
      project?: components['schemas']['Name'] | null;
      match: components['schemas']['MatchAsked'];
      /** @default null */
      expires?: string | null;
      /** @default  */
      note?: string;
    };
    MatchAsked: {
      program?: string;
      command?: string;
      flags?: string[];
      path?: string;
    };
    RuleTestAsked: {
      command?: string;
      project?: components['schemas']['Name'];
      /** @default /work */
      cwd?: string;
      /** @default /work */
      worktree?: string;
      /** @default {} */
      links?: {
        [key: string]: string;
      };
      rule?: components['schemas']['RuleAsked'];
      /** Format: date-time */
      since?: string;
    };
    RuleTested: {
      verdict: {
        /** @enum {string} */
        verdict: 'accept' | 'deny' | 'review';
        because: string;
        rule: string;
        part: string | null;
      } | null;
      tree: string[];
      doubts: string[];
      matched: {
        looked_at: number;
        count: number;
        decisions: components['schemas']['Decision'][];
      } | null;
    };
    Decision: {
      id: string;
      at: components['schemas']['Time'];
      run: components['schemas']['RunName'];
      task: components['schemas']['TaskName'];
      project: string;
      /** @enum {string} */
      verdict: 'accept' | 'deny' | 'review';
      /** @enum {string} */
      by: 'rule' | 'person' | 'timeout' | 'answer' | 'limit';
      tool: string;
      command: string;
      cwd: string;
      rule: string;
      because: string;
      actor: string | null;
      approval: components['schemas']['ApprovalName'] | null;
      took_ms: number;
    };
    HallState: {
      paused: components['schemas']['Pause'] | null;
      draining: components['schemas']['Pause'] | null;
    };
    Token: {
      name: string;
      /** @enum {string} */
      role: 'operator' | 'viewer' | 'worker';
      created_at: components['schemas']['Time'];
      created_by: string;
    };
    TokenCreated: {
      name: string;
      /** @enum {string} */
      role: 'operator' | 'viewer' | 'worker';
      token: string;
      note: string | null;
    };
    Agent: {
      name: string;
      type: string;
      model: string | null;
      prompt_appendix: string | null;
      match_labels: string[];
      notes: string | null;
      enabled: boolean;
      projects: string[] | null;
      parallel: number;
      paused: components['schemas']['Pause'] | null;
      added_at: components['schemas']['Time'];
      changed_at: components['schemas']['Time'];
      running: number;
      workers: number;
    };
    Invoker: {
      handle: string;
      weekly_cap: number;
      used: number;
      reserved: number;
      projects: string[] | null;
      paused: components['schemas']['Pause'] | null;
      parked_until: components['schemas']['Time'] | null;
      parked_because: string | null;
      last_used: components['schemas']['Time'] | null;
    };
    Signpost: {
      /** @constant */
      name: 'guildhall';
      version: string;
      api: string;
      openapi: string;
      healthz: string;
      readyz: string;
      metrics: string;
      docs: string;
    };
    Board: {
      at: components['schemas']['Time'];
      seq: number;
      hall: components['schemas']['HallState'];
      projects: {
        name: string;
        paused: components['schemas']['Pause'] | null;
        running: number;
        max_workers: number;
        open: number;
        counts: components['schemas']['Counts'];
        says: string | null;
        lacks_walls: string | null;
      }[];
      workers: components['schemas']['Worker'][];
      totals: {
        open: number;
        running: number;
        workers: number;
        counts: components['schemas']['Counts'];
      };
    };
    Event: {
      seq: number;
      at: components['schemas']['Time'];
      type: string;
      actor: string;
      cause: string;
      facts: {
        [key: string]: unknown;
      };
    };
    Stats: {
      totals: {
        completed: number;
        failed: number;
        rejected: number;
        cancelled: number;
        success_rate: number | null;
        rejections: {
          [key: string]: number;
        };
      };
      projects: {
        completed: number;
        failed: number;
        rejected: number;
        cancelled: number;
        success_rate: number | null;
        rejections: {
          [key: string]: number;
        };
        name: string;
        open: number;
      }[];
    };
    UsageNow: {
      window: {
        opens: components['schemas']['Time'];
        closes: components['schemas']['Time'];
      };
      invokers: {
        handle: string;
        used: number;
        reserved: number;
        weekly_cap: number;
      }[];
      running: {
        total: {
          runs: number;
          input_tokens: number;
          output_tokens: number;
          turns: number;
          cost_usd: number;
        };
        projects: {
          runs: number;
          input_tokens: number;
          output_tokens: number;
          turns: number;
          cost_usd: number;
          name: string;
        }[];
      };
    };
    Health: {
      /** @enum {string} */
      status: 'up' | 'degraded' | 'down';
      components: {
        name: string;
        /** @enum {string} */
        status: 'up' | 'degraded' | 'down';
        says: string;
      }[];
    };
    UpOrDown: {
      /** @enum {string} */
      status: 'up' | 'down';
    };
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      instance: string;
      code: string;
      mistakes?: {
        path: string;
        message: string;
      }[];
    };
  };
  responses: {
    /** @description What is wrong (RFC 9457) */
    Problem: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listProjects: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The projects */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            projects: components['schemas']['Project'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  addProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "shop",
         *       "repo": "github:acme/shop",
         *       "max_workers": 3,
         *       "sources": [
         *         {
         *           "kind": "github-issues",
         *           "filter": {
         *             "labels": [
         *               "ready"
         *             ]
         *           }
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['ProjectAsked'];
      };
    };
    responses: {
      /** @description It is registered */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The project */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  removeProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is removed */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  changeProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "max_workers": 5
         *     }
         */
        'application/json': components['schemas']['ProjectChange'];
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  pauseProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "because": "the main branch is broken"
         *     }
         */
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  resumeProject: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listTasks: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
        state?: string;
        type?: components['schemas']['Name'];
        text?: string;
        limit?: number;
        after?: components['schemas']['TaskName'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of tasks */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tasks: components['schemas']['Task'][];
            next: components['schemas']['TaskName'] | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  postTasks: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example [
         *       {
         *         "project": "shop",
         *         "title": "Show prices with tax",
         *         "ref": "tax",
         *         "labels": [
         *           "frontend"
         *         ]
         *       },
         *       {
         *         "project": "shop",
         *         "title": "Explain the tax on the bill",
         *         "depends_on": [
         *           "tax"
         *         ],
         *         "size": "s"
         *       }
         *     ]
         */
        'application/json':
          | components['schemas']['TaskAsked']
          | components['schemas']['TaskAsked'][];
      };
    };
    responses: {
      /** @description They are on the board */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "tasks": [
           *         {
           *           "id": "t-12",
           *           "thread": "th-12",
           *           "state": "available"
           *         }
           *       ],
           *       "warnings": []
           *     }
           */
          'application/json': components['schemas']['TasksPosted'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WholeTask'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  editTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "size": "L",
         *       "labels": [
         *         "security"
         *       ]
         *     }
         */
        'application/json': components['schemas']['TaskEdit'];
      };
    };
    responses: {
      /** @description What it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskMoved'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  whyTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every rule that is not met */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Why'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getTaskLog: {
    parameters: {
      query?: {
        after?: number;
        limit?: number;
      };
      header?: never;
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the transcript */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Transcript'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  cancelTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description What it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskMoved'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  retryTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskMoved'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  reopenTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The task that goes on */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPosted'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  approveTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "only": [
         *         "t-31",
         *         "t-33"
         *       ]
         *     }
         */
        'application/json': {
          only?: components['schemas']['TaskName'][];
        };
      };
    };
    responses: {
      /** @description What was approved */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            approved: components['schemas']['TaskName'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  releaseTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description What it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskMoved'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  answerTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "text": "Round to the cent."
         *     }
         */
        'application/json': {
          text: string;
        };
      };
    };
    responses: {
      /** @description What it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskMoved'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listThreads: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
        limit?: number;
        after?: components['schemas']['ThreadName'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of threads */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            threads: components['schemas']['Thread'][];
            next: components['schemas']['ThreadName'] | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getThread: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The thread */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WholeThread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  handOverThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  handBackThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  landThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  reviewThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "verdict": "changes_requested",
         *       "text": "Round to the nearest cent."
         *     }
         */
        'application/json': components['schemas']['ReviewAsked'];
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  mergeThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  closeThread: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ThreadName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Thread'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getGraph: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The graph */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Graph'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listWorkers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The workers */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            workers: components['schemas']['Worker'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  registerWorker: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "instance": "dev-default",
         *       "projects": [
         *         "shop"
         *       ],
         *       "brings_model": true
         *     }
         */
        'application/json': components['schemas']['WorkerAsked'];
      };
    };
    responses: {
      /** @description The worker, and the token that only it has */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WorkerRegistered'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  beatWorker: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['WorkerName'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "run": "r-40",
         *       "fence": 40
         *     }
         */
        'application/json': {
          run?: components['schemas']['RunName'];
          fence?: number;
        };
      };
    };
    responses: {
      /** @description What to do */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orders": "go_on",
           *       "run": "r-40",
           *       "reason": null
           *     }
           */
          'application/json': components['schemas']['Orders'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  drainWorker: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['WorkerName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Worker'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  dismissWorker: {
    parameters: {
      query?: {
        because?: string;
        how?: 'left' | 'crashed';
      };
      header?: never;
      path: {
        id: components['schemas']['WorkerName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  claimTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "worker": "w-7",
         *       "wait_seconds": 30
         *     }
         */
        'application/json': {
          worker: string;
          /** @default 0 */
          wait_seconds?: number;
          /** @default false */
          explain?: boolean;
        };
      };
    };
    responses: {
      /** @description The task, with its run and fence; with `explain`, else why there is none */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json':
            | components['schemas']['Claim']
            | components['schemas']['NothingClaimed'];
        };
      };
      /** @description Nothing is claimable */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  getRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The run */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Run'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getTranscript: {
    parameters: {
      query?: {
        after?: number;
        limit?: number;
      };
      header?: never;
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the transcript */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Transcript'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  startRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40
         *     }
         */
        'application/json': {
          fence: number;
        };
      };
    };
    responses: {
      /** @description The run as it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Run'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  logRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "entries": [
         *         "$ npm test\n",
         *         "12 passed\n"
         *       ]
         *     }
         */
        'application/json': {
          fence: number;
          entries: string[];
        };
      };
    };
    responses: {
      /** @description How long it is */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            entries: number;
            cut: boolean;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  useRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "input_tokens": 12000,
         *       "output_tokens": 800,
         *       "turns": 4,
         *       "cost_usd": 0.06
         *     }
         */
        'application/json': {
          fence: number;
          input_tokens: number;
          output_tokens: number;
          /** @default 0 */
          turns?: number;
          /** @default 0 */
          cost_usd?: number;
        };
      };
    };
    responses: {
      /** @description The run as it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Run'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  noteRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "text": "The rounding lives in money.ts."
         *     }
         */
        'application/json': {
          fence: number;
          text: string;
        };
      };
    };
    responses: {
      /** @description The run as it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Run'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  askRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "question": "Round up or to the nearest cent?",
         *       "session": "s-1"
         *     }
         */
        'application/json': {
          fence: number;
          question: string;
          /** @default null */
          session?: string | null;
        };
      };
    };
    responses: {
      /** @description The task waits */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            task: components['schemas']['TaskName'];
            state: components['schemas']['TaskState'];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  reportRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "outcome": "pr_created",
         *       "summary": "Prices show tax",
         *       "branch": "hall/dev/issue-12",
         *       "pr": {
         *         "number": 31,
         *         "url": "https://github.com/acme/shop/pull/31"
         *       },
         *       "next": {
         *         "wait_seconds": 30
         *       }
         *     }
         */
        'application/json': components['schemas']['ReportAsked'];
      };
    };
    responses: {
      /** @description What became of the task */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Reported'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getBrief: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The brief */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Brief'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  keepSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "id": "0b0f5a9e-6f6d-4c64-8a3e-0d3e1f3a8f52",
         *       "history": ""
         *     }
         */
        'application/json': {
          fence: number;
          id: string;
          history: string;
        };
      };
    };
    responses: {
      /** @description It is kept */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  getTaskPrompt: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['TaskName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The prompt */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShownPrompt'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  callTool: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['RunName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fence": 40,
         *       "tool": "Bash",
         *       "command": "npm test",
         *       "cwd": "/work",
         *       "worktree": "/work",
         *       "links": {},
         *       "scripts": {}
         *     }
         */
        'application/json': components['schemas']['ToolAsked'];
      };
    };
    responses: {
      /** @description What was decided */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ToolAnswered'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listApprovals: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Oldest first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            approvals: components['schemas']['Approval'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getApproval: {
    parameters: {
      query?: {
        wait_seconds?: number;
      };
      header?: never;
      path: {
        id: components['schemas']['ApprovalName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The approval */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  answerApproval: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: components['schemas']['ApprovalName'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "answer": "approve",
         *       "nonce": "k3Jx0pQ2",
         *       "because": null,
         *       "promote": "project"
         *     }
         */
        'application/json': components['schemas']['AnswerAsked'];
      };
    };
    responses: {
      /** @description The approval as it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listRules: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Oldest first */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            rules: components['schemas']['Rule'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  setRule: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "verdict": "accept",
         *       "project": "shop",
         *       "match": {
         *         "program": "terraform",
         *         "command": "terraform plan*"
         *       },
         *       "note": "the plan is only read"
         *     }
         */
        'application/json': components['schemas']['RuleAsked'];
      };
    };
    responses: {
      /** @description The rule, which holds at once */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rule'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  removeRule: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: components['schemas']['RuleName'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is gone */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  testRules: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "command": "curl http://example.com",
         *       "project": "shop"
         *     }
         */
        'application/json': components['schemas']['RuleTestAsked'];
      };
    };
    responses: {
      /** @description What would be */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RuleTested'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listDecisions: {
    parameters: {
      query?: {
        project?: components['schemas']['Name'];
        verdict?: 'accept' | 'deny' | 'review';
        by?: 'rule' | 'person' | 'timeout' | 'answer' | 'limit';
        run?: components['schemas']['RunName'];
        since?: string;
        until?: string;
        limit?: number;
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the log */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            decisions: components['schemas']['Decision'][];
            next: string | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  pauseHall: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HallState'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  resumeHall: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HallState'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  drainHall: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HallState'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listSources: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sources of all projects */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            sources: {
              id: string;
              project: string;
              kind: string;
              settings: {
                [key: string]: unknown;
              };
              status: string;
            }[];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The tokens */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            tokens: components['schemas']['Token'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "ada",
         *       "role": "viewer"
         *     }
         */
        'application/json': {
          name: components['schemas']['Name'];
          /** @enum {string} */
          role: 'operator' | 'viewer' | 'worker';
        };
      };
    };
    responses: {
      /** @description The token, shown once */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TokenCreated'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It opens nothing any more */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      default: components['responses']['Problem'];
    };
  };
  listAgents: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The instances */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            agents: components['schemas']['Agent'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getAgent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The instance */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  pauseAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  resumeAgent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        name: components['schemas']['Name'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Agent'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listInvokers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The invokers */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            invokers: components['schemas']['Invoker'][];
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  pauseInvoker: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        handle: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          because?: string;
        };
      };
    };
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Invoker'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  resumeInvoker: {
    parameters: {
      query?: never;
      header?: {
        /** @description Repeats of this request with the same key are answered what the first was. */
        'Idempotency-Key'?: string;
      };
      path: {
        handle: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As it is now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Invoker'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getRoot: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Where things are */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Signpost'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getApiRoot: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Where things are */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Signpost'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getBoard: {
    parameters: {
      query?: {
        at?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The board */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Board'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  listEvents: {
    parameters: {
      query?: {
        after?: number;
        before?: number;
        order?: 'newest' | 'oldest';
        project?: components['schemas']['Name'];
        task?: components['schemas']['TaskName'];
        type?: string;
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            events: components['schemas']['Event'][];
            next: number | null;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        after?: number;
        project?: components['schemas']['Name'];
        task?: components['schemas']['TaskName'];
      };
      header?: {
        /** @description The sequence of the last event that was received. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A stream of events */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getStats: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The statistics */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Stats'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getUsage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The usage */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageNow'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The health */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It is */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "up"
           *     }
           */
          'application/json': components['schemas']['UpOrDown'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It can */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "up"
           *     }
           */
          'application/json': components['schemas']['UpOrDown'];
        };
      };
      /** @description It cannot */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "down"
           *     }
           */
          'application/json': components['schemas']['UpOrDown'];
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Metrics */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      default: components['responses']['Problem'];
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An OpenAPI document */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      default: components['responses']['Problem'];
    };
  };
}
