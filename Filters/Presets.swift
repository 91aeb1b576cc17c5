/// The presets that are built in: one YAML recipe each.
package enum Presets {}
