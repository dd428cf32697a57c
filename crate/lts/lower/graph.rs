//! Building the graph backwards: a node comes after the nodes it leads to.
//!
//! Jumps to what is not there yet (loop heads, labels) go to *forward* nodes, which lowering binds later and which vanish:
//! they never become locations. Since building runs against the order of the text, descending node numbers are source
//! order.

use crate::logic::{Int, SortedMap};
use crate::lts::{
    Array, CompareOp, DeeperPart, Edge, EntryEffects, Expr, Failure, FailureKind, Label, Location, LocationId, Print, Through,
};
use crate::source::Span;
use petgraph::graph::{DiGraph, NodeIndex};

/// A node's number.
pub type Node = usize;

/// Where paths go that end at a failed assumption: there is no such location, edges to it are left out.
pub const NOWHERE: Node = 0;
/// Where calls go that are not inlined any more.
pub const CUT: Node = 1;

enum Shape {
    /// Bound to another node, or not bound yet.
    Forward(Option<Node>),
    Operation {
        label: Label,
        span: Span,
        writer: Writer,
        next: Node,
    },
    Decision {
        condition: Expr,
        span: Span,
        /// Its number, where it stands in the text.
        number: Option<u32>,
        holds: Node,
        fails: Node,
    },
    /// The end of the function with this result. All of these become one location.
    Exit(Option<Expr>, Span),
    /// Something printed on the way to the next node: no location of its own, but a part of the edges that lead here.
    Print(Print, Node),
    Nowhere,
    /// All of these become one location.
    Error(Failure),
    Cut,
}

pub struct Graph {
    nodes: Vec<Shape>,
    /// So many nodes are statements without an edge of their own.
    passes: usize,
    /// For each node whether it is of a function of the library.
    library: Vec<bool>,
    /// The call of a function of the library that is being lowered.
    call: Option<Span>,
    /// For each node the copy of a function in which it stands: the call that is inlined, by its number.
    copies: Vec<u32>,
    /// The copy that is being lowered.
    copy: u32,
    /// The function without a body whose writes are being lowered.
    writer: Writer,
    /// What nodes are for calls that go deeper.
    deeper: SortedMap<Node, DeeperPart>,
}

/// The function without a body that an operation is a write of, if it is one, and how that function reaches the object.
#[derive(Clone, Default)]
pub struct Writer {
    pub external: Option<u32>,
    pub through: Option<Box<Through>>,
}

/// The finished graph, with the location of every node that is one.
pub struct Finished {
    pub graph: DiGraph<Location, Edge, u32>,
    pub entry: LocationId,
    pub exit: LocationId,
    pub error: Option<LocationId>,
    pub cut: Option<LocationId>,
    pub at_entry: EntryEffects,
    /// For each node its location; `None` for those that no path from the entry reaches.
    pub locations: Vec<Option<LocationId>>,
}

impl Graph {
    pub fn new() -> Graph {
        let nodes = vec![Shape::Nowhere, Shape::Cut];
        Graph {
            nodes,
            passes: 0,
            library: vec![false; 2],
            call: None,
            copies: vec![0; 2],
            copy: 0,
            writer: Writer::default(),
            deeper: SortedMap::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many nodes there are without statements that have no edge of their own.
    pub fn size(&self) -> usize {
        self.nodes.len() - self.passes
    }

    fn push(&mut self, shape: Shape) -> Node {
        self.nodes.push(shape);
        self.library.push(self.call.is_some());
        self.copies.push(self.copy);
        self.nodes.len() - 1
    }

    /// Whether any value that a node built so far evaluates has the property.
    pub fn any_value(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        self.nodes.iter().any(|node| match node {
            Shape::Operation { label, .. } => label.operands().into_iter().any(is),
            Shape::Decision { condition, .. } => is(condition),
            Shape::Exit(value, _) => value.iter().any(is),
            Shape::Print(print, _) => print.operands().any(is),
            Shape::Forward(_) | Shape::Nowhere | Shape::Error(_) | Shape::Cut => false,
        })
    }

    /// A node to jump to before it is known what stands there.
    pub fn forward(&mut self) -> Node {
        self.push(Shape::Forward(None))
    }

    /// A failed assertion, or an error call.
    pub fn error(&mut self, kind: FailureKind, span: Span) -> Node {
        let span = self.place(span);
        self.push(Shape::Error(Failure { kind, span }))
    }

    /// The end of the function with a value that stands at `span`.
    pub fn exit(&mut self, returns: Option<Expr>, span: Span) -> Node {
        let span = self.place(span);
        self.push(Shape::Exit(returns, span))
    }

    /// What is returned at a node, and where it stands.
    fn returned(&self, node: Node) -> (Option<Expr>, Span) {
        match &self.nodes[node] {
            Shape::Exit(Some(value), span) => (Some(value.clone()), *span),
            _ => (None, Span::default()),
        }
    }

    /// Where something is shown: inside of the library at the call.
    fn place(&self, span: Span) -> Span {
        self.call.unwrap_or(span)
    }

    /// From now on, nodes and edges show this call of the library as their place, if it is one; gives the previous setting.
    pub fn show_at(&mut self, call: Option<Span>) -> Option<Span> {
        std::mem::replace(&mut self.call, call)
    }

    /// From now on, nodes stand in this copy of a function; gives the one before.
    pub fn stand_in(&mut self, copy: u32) -> u32 {
        std::mem::replace(&mut self.copy, copy)
    }

    /// A node with one edge to `next`.
    pub fn operation(&mut self, label: Label, span: Span, next: Node) -> Node {
        let span = self.place(span);
        if self.find(next) == NOWHERE { NOWHERE } else { self.push(Shape::Operation { label, span, writer: self.writer.clone(), next }) }
    }

    /// From now on, operations are writes of this function without a body, if it is one.
    pub fn write_by(&mut self, writer: Writer) {
        self.writer = writer;
    }

    /// A node that prints on the way to `next`.
    pub fn print(&mut self, mut print: Print, next: Node) -> Node {
        print.span = self.place(print.span);
        if self.find(next) == NOWHERE { NOWHERE } else { self.push(Shape::Print(print, next)) }
    }

    /// Whether what is done first at a node stands within a statement: on the edges to it, or on the edge that leaves it.
    fn stands_in(&mut self, node: Node, statement: Span) -> bool {
        let node = self.find(node);
        let span = match &self.nodes[node] {
            Shape::Operation { span, .. } | Shape::Decision { span, .. } | Shape::Exit(Some(_), span) => *span,
            Shape::Print(print, _) => print.span,
            Shape::Error(failure) => failure.span,
            Shape::Forward(_) | Shape::Exit(None, _) | Shape::Nowhere | Shape::Cut => return false,
        };
        statement.start <= span.start && span.end <= statement.end
    }

    /// The statement that begins at `next`, which may have no edge of its own: then the edges that lead here pass it.
    pub fn pass(&mut self, span: Span, next: Node) -> Node {
        if self.stands_in(next, span) {
            return next;
        }
        let before = self.nodes.len();
        let node = self.print(Print { pieces: Vec::new(), span }, next);
        self.passes += self.nodes.len() - before;
        node
    }

    /// A node with the two sides of a decision.
    pub fn decision(&mut self, condition: Expr, span: Span, holds: Node, fails: Node) -> Node {
        let span = self.place(span);
        self.push(Shape::Decision { condition, span, number: None, holds, fails })
    }

    /// Marks a node as one of the library: a decision or assignment within a call, which is no statement of the program.
    pub fn of_library(&mut self, node: Node) -> Node {
        self.library[node] = true;
        node
    }

    /// Says what a node is for a call that goes deeper.
    pub fn mark_deeper(&mut self, node: Node, part: DeeperPart) {
        self.deeper.insert(node, part);
    }

    /// As [`Graph::decision`], of the decision of the text with this number.
    pub fn numbered(&mut self, number: u32, condition: Expr, span: Span, holds: Node, fails: Node) -> Node {
        let span = self.place(span);
        self.push(Shape::Decision { condition, span, number: Some(number), holds, fails })
    }

    /// What `node` stands for. Shortens chains of forwards on the way.
    pub fn find(&mut self, node: Node) -> Node {
        let mut end = node;
        while let Some(Shape::Forward(Some(next))) = self.nodes.get(end) {
            end = *next;
        }
        let mut at = node;
        while let Some(Shape::Forward(Some(next))) = self.nodes.get_mut(at) {
            at = *next;
            *next = end;
        }
        end
    }

    /// Says what stands at the forward node. If it is itself (a loop without any edge), it gets a `Skip` edge.
    pub fn bind(&mut self, forward: Node, target: Node, span: Span) {
        let span = self.place(span);
        let end = self.find(target);
        let mut at = end;
        while let Shape::Print(_, next) = self.nodes[at] {
            at = self.find(next);
        }
        self.nodes[forward] = if at == forward {
            Shape::Operation { label: Label::Skip, span, writer: Writer::default(), next: end }
        } else {
            Shape::Forward(Some(end))
        };
    }

    /// The location's node behind what is printed on the way, with that.
    fn printing(&mut self, node: Node) -> (Node, Vec<Print>) {
        let mut at = self.find(node);
        let mut prints = Vec::new();
        while let Shape::Print(print, next) = &self.nodes[at] {
            prints.push(print.clone());
            let next = *next;
            at = self.find(next);
        }
        (at, prints)
    }

    fn successors(&mut self, node: Node) -> [Option<Node>; 2] {
        let (a, b) = match self.nodes[node] {
            Shape::Operation { next, .. } => (Some(next), None),
            Shape::Decision { holds, fails, .. } => (Some(holds), Some(fails)),
            _ => (None, None),
        };
        [a, b].map(|n| n.map(|n| self.printing(n).0).filter(|&n| n != NOWHERE))
    }

    /// What is printed on the way out of a node, on the side that holds or the other.
    fn way(&mut self, node: Node, holds: bool) -> Vec<Print> {
        let next = match self.nodes[node] {
            Shape::Operation { next, .. } => next,
            Shape::Decision { holds: next, .. } if holds => next,
            Shape::Decision { fails, .. } => fails,
            _ => return Vec::new(),
        };
        self.printing(next).1
    }

    /// The node that stands for this one.
    pub fn resolved(&mut self, node: Node) -> Node {
        self.printing(node).0
    }

    /// For each node whether a path from `entry` leads to it; without `all` only paths that take no side of a decision that its constant
    /// condition rules out.
    pub fn reached(&mut self, entry: Node, all: bool) -> Vec<bool> {
        let (entry, _) = self.printing(entry);
        let mut reached = vec![false; self.nodes.len()];
        reached[entry] = true;
        let mut stack = vec![entry];
        while let Some(node) = stack.pop() {
            let decided = match &self.nodes[node] {
                Shape::Decision { condition, .. } if !all => constant(condition).map(|value| !value.is_zero()),
                _ => None,
            };
            let [holds, fails] = self.successors(node);
            let ways = [holds.filter(|_| decided != Some(false)), fails.filter(|_| decided != Some(true))];
            for next in ways.into_iter().flatten() {
                if !reached[next] {
                    reached[next] = true;
                    stack.push(next);
                }
            }
        }
        reached
    }

    /// Puts an edge between each side of a decision and a value after it that may be undefined: an execution takes the side all the same. Gives
    /// the decisions with their new nodes.
    fn part_from_decisions(&mut self, reached: &mut Vec<bool>, arrays: &[Array]) -> Vec<(Node, Node)> {
        let mut parted = Vec::new();
        for node in 0..self.nodes.len() {
            let Shape::Decision { span, number: Some(_), holds, fails, .. } = self.nodes[node] else { continue };
            for (side, next) in [(true, holds), (false, fails)] {
                let (target, prints) = self.printing(next);
                let (value, at) = self.returned(target);
                let may_fail = value.iter().chain(prints.iter().flat_map(Print::operands)).any(|value| value.can_be_undefined(arrays));
                if !reached[node] || !may_fail {
                    continue;
                }
                let at = if at == Span::default() { span } else { at };
                self.nodes.push(Shape::Operation { label: Label::Skip, span: at, writer: Writer::default(), next });
                self.library.push(self.library[node]);
                self.copies.push(self.copies[node]);
                reached.push(true);
                let new = self.nodes.len() - 1;
                if let Shape::Decision { holds, fails, .. } = &mut self.nodes[node] {
                    *(if side { holds } else { fails }) = new;
                }
                parted.push((node, new));
            }
        }
        parted
    }

    /// Drops what is not reachable from `entry` and numbers the rest: the entry, then source order, then exit and error.
    pub fn finish(mut self, entry: Node, arrays: &[Array]) -> Finished {
        let mut reached = self.reached(entry, true);
        let (entry, prints) = self.printing(entry);
        let before = self.nodes.len();
        let parted = self.part_from_decisions(&mut reached, arrays);
        let mut graph = DiGraph::default();
        let mut locations: Vec<Option<LocationId>> = vec![None; self.nodes.len()];
        let inner = |shape: &Shape| matches!(shape, Shape::Operation { .. } | Shape::Decision { .. });
        let order: Vec<Node> = std::iter::once(entry)
            .chain((0..before).rev().filter(|&n| n != entry))
            .filter(|&n| reached[n] && inner(&self.nodes[n]))
            .flat_map(|node| std::iter::once(node).chain(parted.iter().filter(move |one| one.0 == node).map(|one| one.1)))
            .collect();
        for &node in &order {
            let span = match &self.nodes[node] {
                Shape::Operation { span, .. } | Shape::Decision { span, .. } => *span,
                _ => Span::default(),
            };
            locations[node] = Some(graph.add_node(Location { span }));
        }
        // The entry is always the first, even where it is the error itself.
        let failure = if let Shape::Error(failure) = self.nodes[entry] { Some(failure) } else { None };
        let mut error = failure.map(|_| graph.add_node(Location::default()));
        let mut cut = (entry == CUT).then(|| graph.add_node(Location::default()));
        let exit = graph.add_node(Location::default());
        let is_error = |node: Node| matches!(self.nodes[node], Shape::Error(_));
        if error.is_none() && (0..self.nodes.len()).any(|node| reached[node] && is_error(node)) {
            error = Some(graph.add_node(Location::default()));
        }
        if reached[CUT] && cut.is_none() {
            cut = Some(graph.add_node(Location::default()));
        }
        for node in (0..self.nodes.len()).filter(|&node| is_error(node) && reached[node]) {
            locations[node] = error;
        }
        locations[CUT] = cut;
        for node in 0..self.nodes.len() {
            if reached[node] && matches!(self.nodes[node], Shape::Exit(..)) {
                locations[node] = Some(exit);
            }
        }
        for &node in &order {
            let [first, second] = self.successors(node);
            // For a decision, `first` is `None` where the side that holds leads nowhere.
            for (side, next) in [(true, first), (false, second)] {
                let (Some(next), Some(from)) = (next, locations[node]) else { continue };
                let Some(to) = locations[next] else { continue };
                let (label, span, writer, decision) = match &self.nodes[node] {
                    Shape::Operation { label, span, writer, .. } => (label.clone(), *span, writer.clone(), None),
                    Shape::Decision { condition, span, number, .. } => {
                        (Label::Assume { condition: condition.clone(), holds: side }, *span, Writer::default(), *number)
                    }
                    _ => continue,
                };
                let prints = self.way(node, side);
                let failure = if let Shape::Error(failure) = self.nodes[next] { Some(failure) } else { None };
                let (returns, returned_at) = self.returned(next);
                let (library, copy) = (self.library[node], self.copies[node]);
                let Writer { external, through } = writer;
                let deeper = self.deeper.get(&node).cloned();
                let effects = Edge { external, through, prints, failure, returns, returned_at, ..Edge::plain(label, span) };
                let edge = Edge { library, copy, decision, deeper, ..effects };
                graph.add_edge(from, to, edge);
            }
        }
        let (returns, returned_at) = self.returned(entry);
        let at_entry = EntryEffects { failure, prints, returns, returned_at };
        let resolved: Vec<Option<LocationId>> = (0..self.nodes.len()).map(|n| locations[self.printing(n).0]).collect();
        let entry = resolved[entry].unwrap_or(NodeIndex::new(0));
        Finished { graph, entry, exit, error, cut, at_entry, locations: resolved }
    }
}

/// The value of an expression without variables, where it is simple to tell: `1`, `!0`, `1 == 1`.
fn constant(e: &Expr) -> Option<Int> {
    let truth = |holds: bool| if holds { Int::ONE } else { Int::ZERO };
    Some(match e {
        Expr::Int(value) => value.clone(),
        Expr::Neg(inner) => -constant(inner)?,
        Expr::Not(inner) => truth(constant(inner)?.is_zero()),
        Expr::Compare(op, left, right) => {
            let order = constant(left)?.cmp(&constant(right)?);
            truth(match op {
                CompareOp::Lt => order.is_lt(),
                CompareOp::Le => order.is_le(),
                CompareOp::Gt => order.is_gt(),
                CompareOp::Ge => order.is_ge(),
                CompareOp::Eq => order.is_eq(),
                CompareOp::Ne => order.is_ne(),
            })
        }
        // Neither changes what is in the range.
        Expr::Convert(range, inner) | Expr::Checked(range, inner) => constant(inner).filter(|value| range.contains(value))?,
        _ => return None,
    })
}
