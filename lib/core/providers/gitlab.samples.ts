import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const page = "https://gitlab.example.com/example/hello-world";

const user = {
  id: 1,
  name: "Jenny Rosen",
  username: "jenny",
  avatar_url: "https://gitlab.example.com/uploads/-/system/user/avatar/1/avatar.png",
  email: "jenny.rosen@example.com",
};

const project = {
  id: 15,
  name: "Hello world",
  description: "An example project",
  web_url: page,
  avatar_url: null,
  git_ssh_url: "git@gitlab.example.com:example/hello-world.git",
  git_http_url: `${page}.git`,
  namespace: "Example",
  visibility_level: 0,
  path_with_namespace: "example/hello-world",
  default_branch: "main",
  ci_config_path: null,
  homepage: page,
};

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const gitlabSamples: SampleEvents = [
  { type: "Push Hook", make: (fresh) => event(fresh, "Push Hook", push(fresh)) },
  {
    type: "Merge Request Hook",
    make: (fresh) => event(fresh, "Merge Request Hook", mergeRequest(fresh)),
  },
  { type: "Pipeline Hook", make: (fresh) => event(fresh, "Pipeline Hook", pipeline(fresh)) },
];

function event(fresh: Fresh, name: string, json: object): SampleContent {
  return {
    headers: {
      "idempotency-key": fresh.uuid(),
      "user-agent": "GitLab/18.4.0",
      "x-gitlab-event": name,
      "x-gitlab-event-uuid": fresh.uuid(),
      "x-gitlab-instance": "https://gitlab.example.com",
      "x-gitlab-webhook-uuid": fresh.uuid(),
    },
    json,
  };
}

function commitOf(id: string, fresh: Fresh): object {
  return {
    id,
    message: "Show prices with their currency\n",
    title: "Show prices with their currency",
    timestamp: fresh.isoSeconds,
    url: `${page}/-/commit/${id}`,
    author: { name: user.name, email: user.email },
    added: ["src/format-price.ts"],
    modified: ["README.md"],
    removed: [],
  };
}

function push(fresh: Fresh): object {
  const [before, after] = [fresh.hex(40), fresh.hex(40)];
  return {
    object_kind: "push",
    event_name: "push",
    before,
    after,
    ref: "refs/heads/main",
    ref_protected: true,
    checkout_sha: after,
    message: null,
    user_id: user.id,
    user_name: user.name,
    user_username: user.username,
    user_email: null,
    user_avatar: user.avatar_url,
    project_id: project.id,
    project,
    commits: [commitOf(after, fresh)],
    total_commits_count: 1,
    push_options: {},
    repository: {
      name: project.name,
      url: project.git_ssh_url,
      description: project.description,
      homepage: page,
      git_http_url: project.git_http_url,
      git_ssh_url: project.git_ssh_url,
      visibility_level: 0,
    },
  };
}

function mergeRequest(fresh: Fresh): object {
  const iid = fresh.digits(3);
  return {
    object_kind: "merge_request",
    event_type: "merge_request",
    user,
    project,
    object_attributes: {
      id: fresh.digits(6),
      iid,
      action: "open",
      title: "Show prices with their currency",
      description: "Closes #41",
      state: "opened",
      draft: false,
      merge_status: "checking",
      source_branch: "show-currency",
      target_branch: "main",
      source_project_id: project.id,
      target_project_id: project.id,
      author_id: user.id,
      assignee_ids: [user.id],
      created_at: fresh.isoSeconds,
      updated_at: fresh.isoSeconds,
      last_commit: commitOf(fresh.hex(40), fresh),
      url: `${page}/-/merge_requests/${iid}`,
    },
    labels: [],
    changes: {},
    assignees: [user],
    reviewers: [],
  };
}

function pipeline(fresh: Fresh): object {
  const [id, sha] = [fresh.digits(6), fresh.hex(40)];
  return {
    object_kind: "pipeline",
    object_attributes: {
      id,
      iid: fresh.digits(3),
      name: null,
      ref: "main",
      tag: false,
      sha,
      before_sha: fresh.hex(40),
      source: "push",
      status: "success",
      detailed_status: "passed",
      stages: ["build", "test"],
      created_at: fresh.isoSeconds,
      finished_at: fresh.isoSeconds,
      duration: 63,
      queued_duration: 2,
      variables: [],
      url: `${page}/-/pipelines/${id}`,
    },
    user,
    project,
    commit: commitOf(sha, fresh),
    builds: [
      {
        id: fresh.digits(6),
        stage: "build",
        name: "build",
        status: "success",
        duration: 21.5,
        allow_failure: false,
      },
      {
        id: fresh.digits(6),
        stage: "test",
        name: "unit",
        status: "success",
        duration: 41.2,
        allow_failure: false,
      },
    ],
  };
}
