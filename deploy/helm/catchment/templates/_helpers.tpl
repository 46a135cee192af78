{{- define "catchment.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "catchment.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "catchment.labels" -}}
{{ include "catchment.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "catchment.secretName" -}}
{{- .Values.secrets.existing | default (include "catchment.name" .) -}}
{{- end -}}

{{/* The names of the mounted secrets, separated by spaces. */}}
{{- define "catchment.secretKeys" -}}
{{- if .Values.secrets.existing -}}
{{- join " " (.Values.secrets.keys | sortAlpha) -}}
{{- else -}}
{{- join " " (keys .Values.secrets.values | sortAlpha) -}}
{{- end -}}
{{- end -}}

{{- define "catchment.check" -}}
{{- $keys := splitList " " (include "catchment.secretKeys" .) -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is missing: set it to the origin that providers reach, such as https://hooks.example.com" -}}
{{- end -}}
{{- if and .Values.secrets.existing (not .Values.secrets.keys) -}}
{{- fail "secrets.keys is empty: list the keys of the Secret that are settings" -}}
{{- end -}}
{{- if not .Values.database.embedded -}}
{{- range list "DATABASE_URL" "CATCHMENT_SECRET_KEY" -}}
{{- if not (has . $keys) -}}
{{- fail (printf "database.embedded is false, and %s is not among the secrets" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A pod. Takes a dict with root, component, roles, and part, which are the values of that component. */}}
{{- define "catchment.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $keys := include "catchment.secretKeys" .root -}}
metadata:
  labels:
    {{- include "catchment.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
  annotations:
    # New secrets and settings start new pods.
    checksum/secrets: {{ toJson $values.secrets | sha256sum }}
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "catchment.name" .root }}
  automountServiceAccountToken: false
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # Calls in flight get up to 30 s, and PostgreSQL is last.
  terminationGracePeriodSeconds: 90
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    # PostgreSQL refuses a folder that a group can write to, so Kubernetes only changes a new volume.
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: catchment
      image: "{{ $values.image.repository }}:{{ $values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ $values.image.pullPolicy }}
      {{- with .roles }}
      args:
        {{- range . }}
        - --role
        - {{ . }}
        {{- end }}
      {{- end }}
      env:
        - name: CATCHMENT_PUBLIC_URL
          value: {{ $values.publicUrl | quote }}
        {{- if $values.database.embedded }}
        # In the volume, because its own folder belongs to root.
        - name: CATCHMENT_DATA_DIR
          value: /data/catchment
        {{- end }}
        {{- with $values.trustedProxies }}
        - name: CATCHMENT_TRUSTED_PROXIES
          value: {{ join "," . | quote }}
        {{- end }}
        {{- if $values.metrics.enabled }}
        - name: CATCHMENT_METRICS_PORT
          value: {{ $values.metrics.port | quote }}
        {{- end }}
        {{- range splitList " " $keys }}
        {{- if . }}
        - name: {{ . }}_FILE
          value: /run/secrets/catchment/{{ . }}
        {{- end }}
        {{- end }}
        {{- range $name, $value := $values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      ports:
        - name: http
          containerPort: 3000
        {{- if $values.metrics.enabled }}
        - name: metrics
          containerPort: {{ $values.metrics.port }}
        {{- end }}
      # The first start makes the database, and one after an upgrade migrates it.
      startupProbe:
        httpGet: { path: /api/health/live, port: http }
        periodSeconds: 5
        failureThreshold: 120
      livenessProbe:
        httpGet: { path: /api/health/live, port: http }
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /api/health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      resources:
        {{- toYaml .part.resources | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        - name: data
          mountPath: /data
        {{- if $keys }}
        - name: secrets
          mountPath: /run/secrets/catchment
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        medium: Memory
        sizeLimit: 64Mi
    {{- if not $values.database.embedded }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- if $keys }}
    - name: secrets
      secret:
        secretName: {{ include "catchment.secretName" .root }}
        defaultMode: 0440
        items:
          {{- range splitList " " $keys }}
          - key: {{ . }}
            path: {{ . }}
          {{- end }}
    {{- end }}
  {{- range $name := list "nodeSelector" "tolerations" "affinity" }}
  {{- with get $values $name }}
  {{ $name }}:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end -}}
