//! Pointer parameters that lead to arrays of structures: `p[i].x`, `p++`, `p + n`. What a parameter points to is one structure, with a scalar
//! for each member, unless the function, or a call in it, leaves that structure; then it is an array of unknown length, with an array of the
//! model for each member, as of a global array of structures.
//!
//! Which parameters these are is found by lowering ([`super::rounds`]): where an address moves away from the structure, lowering begins anew.
//! Where it is an object of a class ([`super::joined`]), an index is there already, and would be undefined outside of the structure; so
//! lowering begins anew then whatever became of it. Where it is an object alone, such an address is refused; only then it does.

use super::Lowerer;
use super::given::settled_row;
use super::object::{Part, Pointee, Root, add};
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Name, Shape};
use crate::lts::Expr;

impl Lowerer<'_> {
    /// The declarations of the function's own pointers to one structure of which this is the whole; of a class, of any that it may be.
    fn own_structures(&self, part: &Part) -> Vec<DeclId> {
        let roots: Vec<&Root> = match &part.root {
            _ if !part.path.is_empty() => Vec::new(),
            Root::Joined(class) => {
                let class = &self.classes[*class as usize];
                match part.indices.first().and_then(|(row, _)| settled_row(row)) {
                    Some(row) => class.get(row).into_iter().collect(),
                    None => class.iter().collect(),
                }
            }
            root => vec![root],
        };
        let is_one = |root: &Root| self.is_own_pointer(root) && matches!(self.root_shape(root), Shape::Struct(_));
        let own = roots.into_iter().filter(|root| is_one(root));
        own.filter_map(|root| if let Root::Decl(_, id) = root { Some(*id) } else { None }).collect()
    }

    /// An address further on; `None` behind what stands alone.
    pub(super) fn moved(&mut self, pointee: Pointee, by: Expr) -> Option<Pointee> {
        if !matches!(&by, Expr::Int(value) if value.is_zero()) {
            self.moves_away(&pointee);
        }
        match pointee {
            Pointee::Element(part, index) => Some(Pointee::Element(part, add(index, by))),
            Pointee::Single(part) => matches!(&by, Expr::Int(value) if value.is_zero()).then_some(Pointee::Single(part)),
        }
    }

    /// Notes that an address moves away from what it is that of.
    fn moves_away(&mut self, pointee: &Pointee) {
        let own = self.own_structures(pointee.part());
        match pointee {
            Pointee::Single(_) => self.wanted_several.extend(own),
            Pointee::Element(..) => self.several.extend(own),
        }
    }

    /// As [`Lowerer::moves_away`], of a pointer by its name.
    pub(super) fn steps_away(&mut self, pointer: &Tree) {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &pointer.kind else { return };
        let root = self.root(*decl);
        if let Some(pointee) = self.pointees.get(&root).cloned().or_else(|| self.own_object(root)) {
            self.moves_away(&pointee);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lts::inputs::inputs;
    use crate::lts::{lower, text};

    const TYPES: &str = "#include <stddef.h>\n#include <string.h>
        struct P { int x, y; } all[3]; struct N { struct P in; struct P two[2]; int m[3]; }; struct L { struct L *next; int v; };
        typedef struct { char name[4]; int age; } T; void take(struct P *p); ";

    /// The inputs of `f`, arrays with brackets; of what is refused, the message.
    fn of(source: &str) -> Result<Vec<String>, String> {
        let program = crate::lang::parse(&format!("{TYPES}{source}")).program.unwrap_or_default();
        let lts = lower::lower(&program, Some("f")).map_err(|errors| errors[0].message.clone())?.lts;
        lower::tests::invariants(&lts);
        let all = inputs(&lts);
        let scalars = all.variables.iter().map(|&id| lts.variable(id).name.clone());
        Ok(scalars.chain(all.arrays.iter().map(|&id| format!("{}[]", lts.array(id).name))).collect())
    }

    /// A structure that nothing leaves stays one.
    #[test]
    fn one_structure_stays_one() {
        for source in [
            "int f(struct P *p) { return p->x + p[0].y + (*p).x + (p + 0)->y + (&p[0])->x; }",
            "int g(const struct P *q) { const struct P *r = q; return r[0].x; } int f(struct P *p) { struct P *q = p; return g(q) + g(&*p); }",
            "int f(struct P *p) { struct P t = *p; t.x++; *p = t; memset(p, 0, sizeof *p); return p[0].x; }",
        ] {
            assert_eq!(of(source).as_deref(), Ok(&["p.x".to_owned(), "p.y".to_owned()][..]), "{source}");
        }
        let source = "int f(struct N *p, int i) { int *m = p->m; for (i = 0; i < 3; i++) *m++ = p->two[i].x; return p->m[i + 1]; }";
        assert_eq!(of(source).unwrap_or_default(), ["p.in.x", "p.in.y", "i", "p.two.x[]", "p.two.y[]", "p.m[]"]);
        let source = "int f(struct P *p) { if (!p) return 0; p->x = 1; return p[0].y; }";
        assert_eq!(of(source).map(|names| names.contains(&"p.x".to_owned())), Ok(true));
    }

    /// Where an address leaves the structure, it is an array: in the function, in a call, through another pointer.
    #[test]
    fn structures_that_are_left_are_arrays() {
        for source in [
            "int f(struct P *p) { return p[2].x + p->y; }",
            "int f(struct P p[], int i) { return p[i].x; }",
            "int f(struct P p[static 4], int i) { return (p + i)->x + (*(i + p)).y; }",
            "int f(const struct P *p, int n) { while (n--) if (p++->x) return p->y; return 0; }",
            "int f(struct P *p, int n) { p += n; p = p - 1; --p; return p->x; }",
            "int f(struct P *p, int n) { int s = 0; for (const struct P *q = p; q < p + n; q++) s += q->x; return s; }",
            "int f(struct P *p, int n) { struct P *q = &p[n]; return q[-1].x + q->y; }",
            "int f(struct P *p, int n) { struct P *q = p, *e = p + n; while (q != e) q++; return q - p; }",
            "int g(struct P *q, int n) { return q[n].x; } int f(struct P *p, int n) { return g(p, n); }",
            "int g(struct P *q, int n) { while (n--) q++; return q->x; } int f(struct P *p, int n) { return g(p, n); }",
            "int g(struct P *q) { return q->x; } int f(struct P *p, int n) { return g(&p[n]) + g(p + 1); }",
            "int f(struct P *p, int n) { return n > 0 ? f(p + 1, n - 1) : p->x; }",
            "struct P *g(struct P *q, int n) { return n ? q + n : 0; } int f(struct P *p, int n) { struct P *r = g(p, n); return r ? r->x : 0; }",
            "int f(struct P *p, int n) { p[n] = p[n + 1]; struct P t = p[n]; p[0] = t; return p->x; }",
            "int f(struct P *p, int n) { memcpy(&p[n], p, sizeof *p); memset(p, 0, 2 * sizeof *p); return p->x; }",
            "int f(struct P *p, int n) { void *v = p; struct P *q = v; return q[n].x; }",
            "int f(struct P *p, int n) { int *x = &p[n].x; *x = 3; return *x; }",
            "int f(struct P *p, int n) { take(p + 1); return p->x + p[n].y; }",
        ] {
            let names = of(source).unwrap_or_else(|message| panic!("{message}: {source}"));
            assert!(names.ends_with(&["p.x[]".to_owned(), "p.y[]".to_owned()]), "{names:?} {source}");
        }
        let source = "int f(struct N *p, struct P *q, T *t, int i) { return p[i].two[1].x + q->x + t[i].name[2]; }";
        let expected = ["q.x", "q.y", "i", "p.in.x[]", "p.in.y[]", "p.two.x[]", "p.two.y[]", "p.m[]", "t.name[]", "t.age[]"];
        assert_eq!(of(source).unwrap_or_default(), expected);
    }

    /// So it is where other objects are kept with it, or it may be null: else what an index other than 0 gives would be undefined.
    #[test]
    fn objects_of_classes_are_left() {
        for (source, expected) in [
            ("int f(struct P *p, int i) { if (!p) return -1; return p[i].x; }", &["p.null", "i", "p.x[]", "p.y[]"][..]),
            ("int f(struct P *p, int i) { if (!p) return -1; while (i--) p++; return p->x; }", &["p.null", "i", "p.x[]", "p.y[]"]),
            ("int f(struct P *p, int i) { struct P *q = p ? p + i : 0; return q ? q->x : 3; }", &["p.null", "i", "p.x[]", "p.y[]"]),
            ("int f(struct P *p, int i) { struct P *q = i ? p : all; q++; return q->x; }", &["i", "all.x[]", "p.x|all.x[]"]),
            ("int f(struct P *p, int i) { struct P *q = i ? p : &all[1]; return q[i].x; }", &["i", "all.x[]", "p.x|all.x[]"]),
            ("int f(struct P *p, struct P *q, int i) { if (p == q) return p->x; return q[i].x; }", &["q - p", "i", "p.x[]", "p.y[]"]),
        ] {
            assert_eq!(of(source).as_deref(), Ok(&expected.iter().map(|&name| name.to_owned()).collect::<Vec<_>>()[..]), "{source}");
        }
    }

    /// What cannot be followed of one structure cannot be of several.
    #[test]
    fn other_ways_are_refused() {
        for (source, message) in [
            ("int f(struct L *p, int i) { return p[i].next->v; }", "the pointer in the member `next` is not followed"),
            ("int f(struct P *p, int i) { int *x = &p[i].x; return x[1]; }", "it is not known what `x` points to"),
            ("int f(struct P *p, int i) { return ((int *)p)[i]; }", "it is not known what this points to"),
        ] {
            assert_eq!(of(source).err().as_deref(), Some(message), "{source}");
        }
    }

    /// Indices that the copied structure decides on are kept before it changes, and drawn once.
    #[test]
    fn copies_keep_their_indices() {
        let labels = |source: &str| -> Vec<String> {
            let program = crate::lang::parse(&format!("{TYPES}int __VERIFIER_nondet_int(void); {source}")).program.unwrap_or_default();
            let lts = lower::lower(&program, Some("f")).unwrap_or_else(|errors| panic!("{errors:?}")).lts;
            lts.graph.edge_weights().map(|edge| text::label(&lts, edge)).collect()
        };
        let source = "void f(struct P *p) { p[p[0].x] = p[p[1].y]; }";
        assert_eq!(labels(source), ["t = p[0].x", "t#2 = p[1].y", "p[t].x = p[t#2].x", "p[t].y = p[t#2].y"]);
        let source = "struct P s; void f(void) { s = all[s.x]; }";
        assert_eq!(labels(source), ["t = s.x", "s.x = all[t].x", "s.y = all[t].y"]);
        let source = "void f(struct P *p, int i) { p[i] = all[__VERIFIER_nondet_int()]; memset(&p[p[i].x], 0, sizeof *p); }";
        assert_eq!(
            labels(source),
            ["t = nondet()", "p[i].x = all[t].x", "p[i].y = all[t].y", "t#2 = p[i].x", "p[t#2].x = 0", "p[t#2].y = 0"]
        );
        let source = "void f(struct P *p, int i) { p[i] = p[i + 1]; }";
        assert_eq!(labels(source), ["p[i].x = p[i + 1].x", "p[i].y = p[i + 1].y"]);
    }
}
